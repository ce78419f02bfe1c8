import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, sep } from 'node:path'
import { type Account, run } from './embedded-account.ts'
import { type Binaries, program } from './embedded-binaries.ts'

const ORIGIN = 'data-directory'

/** Where a cluster belongs, when it does not lie in its data directory: for people, and for `removeOrphans`. */
export async function noteOrigin({ folder, dataDir }: { folder: string; dataDir: string }): Promise<void> {
  await writeFile(join(folder, ORIGIN), dataDir, { mode: 0o600 })
}

/**
 * Clusters that lie outside of a data directory do not go with it. Those of temporary directories that are gone, after
 * tests above all, are missed by nobody: they are stopped and removed. Every other one may hold somebody's payments.
 */
export async function removeOrphans(
  place: string,
  { account, binaries }: { account: Account; binaries: Binaries },
): Promise<void> {
  const names = (await readdir(place)).filter((name) => name.startsWith('cluster-'))
  for (const folder of names.map((name) => join(place, name))) {
    if (!(await isOrphan(folder))) continue
    const stop = [program(binaries, 'pg_ctl'), 'stop', '-D', join(folder, 'data'), '-m', 'immediate', '-t', '5']
    await run(account, { command: stop })
    await rm(folder, { recursive: true, force: true })
  }
}

async function isOrphan(folder: string): Promise<boolean> {
  const dataDir = await readFile(join(folder, ORIGIN), 'utf8').catch(() => '')
  if (!dataDir.startsWith(tmpdir() + sep)) return false
  return stat(dataDir).then(
    () => false,
    (error) => error.code === 'ENOENT',
  )
}
