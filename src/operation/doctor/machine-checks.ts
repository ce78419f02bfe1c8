import { constants } from 'node:fs'
import { access, stat, statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { parseMasterKeys } from '../../foundation/core/seal.ts'
import { readIfThere, shownPath } from '../../foundation/lib/files/files.ts'
import { StartProblem } from '../../foundation/lib/start-problem.ts'
import type { Config } from '../app/config.ts'
import type { Check } from './check.ts'
import { byLimits, failure, ok, type Verdict, warning } from './finding-rules.ts'

/** Facts about the machine and its Node.js. */
export type Machine = { nodeVersion: string; timeZoneData: string; now: () => Date }

export type MachineContext = { config: Config; machine: Machine }

/** The checks of the machine, which do not depend on its environments. */
export const machineChecks: readonly Check<MachineContext>[] = [
  { id: 'node.version', run: ({ machine }) => judgeNode(machine) },
  { id: 'node.time-zones', run: ({ machine }) => judgeTimeZones(machine) },
  { id: 'disk.space', run: checkDisks },
  { id: 'files.mode', run: checkModes },
  { id: 'keys.readable', run: checkKeys },
]

const NEEDED_NODE = 24

export function judgeNode({ nodeVersion }: Pick<Machine, 'nodeVersion'>): Verdict {
  const found = `Node.js ${nodeVersion}`
  return Number.parseInt(nodeVersion, 10) >= NEEDED_NODE ? ok(found) : failure(found, `Install Node.js ${NEEDED_NODE}.`)
}

/**
 * Judges the age of the time zone data. Governments change time zones a few times a year. Old data causes wrong dates on checks and wrong
 * cut-offs.
 */
export function judgeTimeZones({ timeZoneData, now }: Pick<Machine, 'timeZoneData' | 'now'>): Verdict {
  const found = `time zone data of ${timeZoneData}`
  const years = now().getUTCFullYear() - Number.parseInt(timeZoneData, 10)
  return years <= 2 ? ok(found) : warning(`The ${found} is ${years} years old.`, 'Install a newer Node.js 24.')
}

const GIB = 1024 ** 3

/**
 * Lists the folders to which the service writes. Embedded PostgreSQL that runs as root uses another folder, and the check of the database
 * covers its disk.
 */
const foldersOf = (config: Config): string[] => [
  ...new Set([config.dataDir, ...config.environments.flatMap(({ settings }) => settings.stateFolder ?? [])]),
]

async function checkDisks({ config }: MachineContext): Promise<Verdict[]> {
  const verdicts = await Promise.all(foldersOf(config).map(checkDisk))
  return verdicts.length > 0 ? verdicts : [ok('no folders')]
}

async function checkDisk(path: string): Promise<Verdict> {
  const folder = await nearestFolder(path)
  const shown = shownPath(path)
  const isWritable = await access(folder, constants.W_OK).then(
    () => true,
    () => false,
  )
  if (!isWritable)
    return failure(
      `${shown} is not writable for this user.`,
      `Give the folder to the user of the service, or set REMIT_DATA_DIR.`,
    )
  const { bavail, bsize, blocks } = await statfs(folder)
  const free = bavail * bsize
  const judged = byLimits(-free, { warning: -Math.min(GIB, 0.1 * blocks * bsize), failure: -0.1 * GIB })
  return judged(`${shown}: ${(free / GIB).toFixed(1)} GiB free`, 'Delete files on this disk, or enlarge it.')
}

/** Returns the folder, or the nearest existing folder above it. */
async function nearestFolder(path: string): Promise<string> {
  const found = await stat(path).catch(() => null)
  return found?.isDirectory() || dirname(path) === path ? path : nearestFolder(dirname(path))
}

/** The files with secrets in the data directory. */
const SECRET_FILES = ['postgres.json', 'sandbox.json', 'sandbox.headers', 'demo.json', 'demo.headers']

async function checkModes({ config }: MachineContext): Promise<Verdict[]> {
  const own = SECRET_FILES.map((name) => join(config.dataDir, name))
  const verdicts = await Promise.all([
    ...[config.masterKeysFile, ...config.secretFiles].map((path) => checkMode(path, GROUP_MAY_READ)),
    ...own.map((path) => checkMode(path, ONLY_THIS_USER)),
  ])
  const problems = verdicts.filter((verdict) => verdict !== null)
  return problems.length > 0 ? problems : [ok('Other users cannot read the files with secrets.')]
}

/** The permission bits that must not be set. The secrets of Kubernetes and the credentials of systemd are readable by the group. */
const GROUP_MAY_READ = 0o037
const ONLY_THIS_USER = 0o077

/** Checks the permissions of a file. Returns null if the file is missing or its permissions are right. */
async function checkMode(path: string, wrongBits: number): Promise<Verdict | null> {
  const found = await stat(path).catch(() => null)
  if (!found || (found.mode & wrongBits) === 0) return null
  const mode = (found.mode & 0o777).toString(8)
  return failure(
    `Other users can read or change ${shownPath(path)} (mode ${mode}).`,
    `Run: chmod 600 ${shownPath(path)}`,
  )
}

async function checkKeys({ config }: MachineContext): Promise<Verdict> {
  const setting = config.masterKeys === null ? 'REMIT_MASTER_KEYS_FILE' : 'REMIT_MASTER_KEYS'
  try {
    const text = config.masterKeys ?? (await readIfThere(config.masterKeysFile))
    if (text === null) return ok('No master keys yet. The first start creates them.')
    return ok(`${parseMasterKeys(text.trim()).ids.length} in ${setting}`)
  } catch (error) {
    const why = error instanceof StartProblem ? error.message : 'they are not in the form ID:KEY'
    return failure(`The master keys cannot be read: ${why}`, `Correct ${setting}. See docs/keys.md.`)
  }
}
