import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { packSdk } from '../../../../src/foundation/http/reference/sdk-package.ts'

type Lifetime = { after(end: () => unknown): void }

/** Builds the package and unpacks it below `node_modules` of an empty project, as npm installs it. */
export async function installInEmptyProject(t: Lifetime): Promise<{ folder: string; dist: string; archive: Buffer }> {
  const folder = await mkdtemp(join(tmpdir(), 'remit-sdk-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  const dist = join(folder, 'dist')
  const builder = fileURLToPath(new URL('../../build.ts', import.meta.url))
  execFileSync(process.execPath, [builder, dist], { stdio: 'inherit' })
  const archive = await packSdk(dist)
  if (!archive) throw new Error('the package was not built')
  await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }))
  const target = join(folder, 'node_modules/remit-payments-sdk')
  await mkdir(target, { recursive: true })
  execFileSync('tar', ['-xzf', '-', '-C', target, '--strip-components', '1'], { input: archive })
  return { folder, dist, archive }
}
