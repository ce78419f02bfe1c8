import { randomBytes } from 'node:crypto'
import { chmod, chown, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { type Account, canEnter, chooseAccount, run, sharedFolder } from './embedded-account.ts'
import { type Binaries, findBinaries, majorVersion, program } from './embedded-binaries.ts'
import { syncFolder } from './embedded-files.ts'
import { recordOrigin, removeOrphans } from './embedded-orphans.ts'
import { freePort } from './embedded-port.ts'
import { PostgresProblem, problemFromOutput } from './embedded-problem.ts'
import {
  type ClusterRecord,
  publishRecord,
  RECORD,
  randomId,
  readRecord,
  UNFINISHED,
  whenMissing,
} from './embedded-record.ts'

export const SUPERUSER = 'remit'

/** A PostgreSQL cluster on disk. `folder` contains `data`, PostgreSQL's own directory, and its log and settings. */
export type Cluster = {
  dataDir: string
  folder: string
  data: string
  account: Account
  binaries: Binaries
  password: string
  port: number
}

/**
 * Opens the cluster of a data directory, or creates one. An atomic `link` adds `postgres.json` when the cluster is
 * complete. If the process is killed before, the rest is ignored. If two processes start at once, the first one's
 * cluster is used.
 */
export async function openCluster({ dataDir, binaries }: Place): Promise<Cluster> {
  await makeDataDir(dataDir)
  const record = await readRecord(dataDir)
  if (record) return clusterOf({ dataDir, binaries, record })
  await refuseOrphanedCluster(dataDir)
  return clusterOf({ dataDir, binaries, record: await makeCluster({ dataDir, binaries }) })
}

/** @property binaries another PostgreSQL than the one of the npm package */
type Place = { dataDir: string; binaries?: Binaries | undefined }

/** Removes what a kill or a lost race left behind. Only for the owner of the data directory. */
export async function removeUnfinished({ dataDir, folder: ours }: Cluster): Promise<void> {
  const unfinished = (await readdir(dataDir)).filter(
    (name) => name.startsWith(UNFINISHED) || name.startsWith(`${RECORD}.`),
  )
  for (const name of unfinished) {
    const folder = (await readFile(join(dataDir, name), 'utf8').catch(() => '')).trim()
    const isCluster = /^(\/.*\/)?cluster-[0-9a-f]+$/.test(folder)
    if (isCluster && resolve(dataDir, folder) !== ours) await removeFolder(resolve(dataDir, folder))
    await rm(join(dataDir, name), { force: true })
  }
}

/** PostgreSQL's user can pass through root's directory but not list it. An existing directory keeps its mode. */
async function makeDataDir(dataDir: string): Promise<void> {
  const mode = process.geteuid?.() === 0 ? 0o711 : 0o700
  await makeParents(dirname(dataDir))
  try {
    await mkdir(dataDir, { mode })
    await chmod(dataDir, mode)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  if (!(await stat(dataDir)).isDirectory())
    throw new PostgresProblem(`The data directory ${dataDir} is not a directory. Name another one with --data-dir.`)
}

/** Without `recursive`, which reports a read-only disk as "missing". */
async function makeParents(folder: string): Promise<void> {
  if (await stat(folder).catch(whenMissing)) return
  await makeParents(dirname(folder))
  await mkdir(folder).catch((error) => {
    if (error.code !== 'EEXIST') throw error
  })
}

/** A new, empty cluster must not replace the old one, which contains payments. */
async function refuseOrphanedCluster(dataDir: string): Promise<void> {
  const names = await readdir(dataDir)
  const unfinished = await Promise.all(
    names
      .filter((name) => name.startsWith(UNFINISHED) || name.startsWith(`${RECORD}.`))
      .map((name) => readFile(join(dataDir, name), 'utf8').catch(() => '')),
  )
  const lost = names.find((name) => /^cluster-[0-9a-f]+$/.test(name) && !unfinished.includes(name))
  // A process that starts at the same time may have finished in between.
  if (!lost || (await readRecord(dataDir))) return
  throw new PostgresProblem(
    `${dataDir} contains the database ${lost} but not its file ${RECORD}. ` +
      'Restore the file, or name another directory with --data-dir.',
  )
}

async function clusterOf({ dataDir, record, ...given }: Place & { record: ClusterRecord }): Promise<Cluster> {
  const folder = resolve(dataDir, record.cluster)
  const owner = await stat(folder).catch(whenMissing)
  if (!owner)
    throw new PostgresProblem(
      `The database of ${dataDir} should be in ${folder}, which does not exist. Restore it, or delete the data directory.`,
    )
  // The owner of the files, because a system user named postgres may have been added later.
  const account = process.geteuid?.() === 0 ? { uid: owner.uid, gid: owner.gid } : undefined
  if (!(await canEnter(account, { folder })))
    throw new PostgresProblem(
      `PostgreSQL runs as user ${owner.uid}, who cannot enter ${folder}. ` +
        'Give everyone access to its parent folders (chmod a+x), or name another directory with --data-dir.',
    )
  const binaries = given.binaries ?? (await findBinaries(account))
  const { password, port } = record
  return { dataDir, folder, data: join(folder, 'data'), account, binaries, password, port }
}

async function makeCluster({ dataDir, ...given }: Place): Promise<ClusterRecord> {
  const account = await chooseAccount()
  const binaries = given.binaries ?? (await findBinaries(account))
  const name = `cluster-${randomId()}`
  const isBarred = !(await canEnter(account, { folder: dataDir }))
  const place = isBarred ? await sharedFolder(account) : dataDir
  const cluster = isBarred ? join(place, name) : name
  if (isBarred) await removeOrphans(place)
  const note = join(dataDir, `${UNFINISHED}${randomId()}`)
  const made = { cluster, password: randomBytes(24).toString('base64url'), port: await freePort() }
  let record: ClusterRecord | undefined
  try {
    await writeFile(note, cluster, { mode: 0o600 })
    await initialise({ dataDir, folder: resolve(dataDir, cluster), account, binaries, password: made.password })
    await publishRecord(dataDir, made)
    record = made
  } catch (error) {
    // Another process was first. Its owner removes unfinished clusters, which can cause any error here.
    record = await readRecord(dataDir)
    if (!record) throw error
  } finally {
    if (record !== made) await removeFolder(resolve(dataDir, cluster))
    await rm(note, { force: true })
  }
  return record
}

/** Another process may be removing the same folder, so missing files are no error. */
const removeFolder = (path: string): Promise<void> => rm(path, { recursive: true, force: true, maxRetries: 10 })

/** Older versions sort by the system's locales. */
const FIRST_WITH_OWN_LOCALES = 17

async function initialise({ dataDir, folder, account, binaries, password }: Omit<Cluster, 'data' | 'port'>) {
  await mkdir(folder, { mode: 0o700 })
  await recordOrigin({ folder, dataDir })
  const passwordFile = join(folder, 'password')
  await writeFile(passwordFile, password, { mode: 0o600 })
  if (account) for (const path of [passwordFile, folder]) await chown(path, account.uid, account.gid)
  const options = [
    ['--username', SUPERUSER],
    ['--pwfile', passwordFile],
    ['--auth', 'scram-sha-256'],
    ['--encoding', 'UTF8'],
    ...((await majorVersion(account, binaries)) < FIRST_WITH_OWN_LOCALES
      ? [['--locale', 'C.UTF-8']]
      : [
          ['--locale-provider', 'builtin'],
          ['--builtin-locale', 'C.UTF-8'],
          ['--locale', 'C'],
        ]),
  ]
  const command = [program(binaries, 'initdb'), '-D', join(folder, 'data'), '--no-instructions', ...options.flat()]
  const { code, output } = await run(account, { command, cwd: folder })
  await rm(passwordFile, { force: true })
  if (code !== 0) throw problemFromOutput(output, { path: folder })
  for (const path of [folder, dirname(folder)]) await syncFolder(path)
}
