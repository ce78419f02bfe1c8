import { execFileSync } from 'node:child_process'
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { packPackage } from '../../../../src/foundation/http/reference/served-packages.ts'

const PACKAGE = fileURLToPath(new URL('../..', import.meta.url))

type Lifetime = { after(end: () => unknown): void }

/** Builds the package and unpacks it below `node_modules` of an empty project, as npm installs it. `source`: what was packed. */
export async function installInEmptyProject(t: Lifetime): Promise<{ folder: string; source: string; archive: Buffer }> {
  const folder = await mkdtemp(join(tmpdir(), 'remit-sdk-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  const source = join(folder, 'source')
  for (const name of ['package.json', 'README.md']) await cp(join(PACKAGE, name), join(source, name))
  execFileSync(process.execPath, [join(PACKAGE, 'build.ts'), join(source, 'dist')], { stdio: 'inherit' })
  const archive = await packPackage('remit-payments-sdk', source)
  if (!archive) throw new Error('the package was not built')
  await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }))
  const target = join(folder, 'node_modules/remit-payments-sdk')
  await mkdir(target, { recursive: true })
  execFileSync('tar', ['-xzf', '-', '-C', target, '--strip-components', '1'], { input: archive })
  return { folder, source, archive }
}
