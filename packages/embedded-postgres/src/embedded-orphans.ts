import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, sep } from 'node:path'

const ORIGIN = 'data-directory'

/** Records the data directory of a cluster outside of it, for people and for `removeOrphans`. */
export async function recordOrigin({ folder, dataDir }: { folder: string; dataDir: string }): Promise<void> {
  await writeFile(join(folder, ORIGIN), dataDir, { mode: 0o600 })
}

/**
 * Removes clusters whose temporary data directory is gone, mostly left by tests. A running one is kept, because the
 * service that runs it may see the directory. Others are kept because they may contain payments.
 */
export async function removeOrphans(place: string): Promise<void> {
  const names = (await readdir(place)).filter((name) => name.startsWith('cluster-'))
  for (const folder of names.map((name) => join(place, name))) {
    if (await isOrphan(folder)) await rm(folder, { recursive: true, force: true })
  }
}

async function isOrphan(folder: string): Promise<boolean> {
  const dataDir = await readFile(join(folder, ORIGIN), 'utf8').catch(() => '')
  const isTemporary = dataDir.startsWith(tmpdir() + sep)
  return isTemporary && (await isMissing(dataDir)) && (await isMissing(join(folder, 'data', 'postmaster.pid')))
}

const isMissing = (path: string): Promise<boolean> =>
  stat(path).then(
    () => false,
    (error) => error.code === 'ENOENT',
  )
