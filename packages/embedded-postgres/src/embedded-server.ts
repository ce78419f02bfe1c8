import { type ChildProcess, spawn } from 'node:child_process'
import { constants, readFileSync } from 'node:fs'
import { type FileHandle, lstat, open, readFile, rename, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { run, spawnOptions } from './embedded-account.ts'
import { program } from './embedded-binaries.ts'
import type { Cluster } from './embedded-cluster.ts'
import { diskIsFull, problemFromOutput } from './embedded-problem.ts'
import { settingOptions, writeSettings } from './embedded-settings.ts'

const LOG_BYTES_KEPT = 10_000_000
/** A disk counts as full if the next file of PostgreSQL's write-ahead log does not fit. */
const WAL_FILE_BYTES = 16 * 1024 * 1024

const STOP_SECONDS = '20'
const STOP_AT_ONCE_SECONDS = '5'

export type Launch = 'ready' | 'held' | 'port_taken'

type Postmaster = { pid: number; port: number; isReady: boolean }

/** The content of `postmaster.pid`. The process in it may be dead. */
export async function readPostmaster({ data }: Cluster): Promise<Postmaster | undefined> {
  const text = await readFile(postmasterFile(data), 'utf8').catch((error) => {
    if (error.code !== 'ENOENT') throw error
    return ''
  })
  return parsePostmaster(text)
}

const postmasterFile = (data: string) => join(data, 'postmaster.pid')

function parsePostmaster(text: string): Postmaster | undefined {
  const lines = text.split('\n')
  const [pid, port] = [Number(lines[0]), Number(lines[3])]
  return pid && port ? { pid, port, isReady: lines[7]?.trim() === 'ready' } : undefined
}

/**
 * Starts PostgreSQL in its own session, out of reach of Ctrl-C and of this process's end, and waits until it accepts
 * connections. `held`: another PostgreSQL, or the rest of a killed one, still uses the cluster.
 */
export async function launch(cluster: Cluster, { signal }: { signal: AbortSignal }): Promise<Launch> {
  await writeSettings(cluster)
  const log = await openLog(cluster)
  const start = (await log.stat()).size
  try {
    const ended = await spawnAndWait(cluster, { signal, log })
    if (!ended) return 'ready'
    return await judge(cluster, { output: await readFrom(log, start) })
  } finally {
    await log.close()
  }
}

/** Stops the server like pg_ctl. If that takes too long, stops it without a checkpoint, and the next start recovers. */
export async function shutDown(cluster: Cluster): Promise<boolean> {
  if (await control(cluster, 'stop', '-m', 'fast', '-t', STOP_SECONDS)) return true
  if (await control(cluster, 'stop', '-m', 'immediate', '-t', STOP_AT_ONCE_SECONDS)) return true
  return !(await control(cluster, 'status'))
}

/**
 * Running servers that this process started, and clusters that it owns, even if another process started their servers.
 */
const started = new Set<ChildProcess>()
export const ownedClusters = new Set<Cluster>()

/** Prepares for the end of this process: its servers then stop by themselves, quickly and cleanly. */
export function endServersWithoutWaiting(): void {
  for (const child of started) child.kill('SIGINT')
  for (const { data } of ownedClusters) {
    try {
      const postmaster = parsePostmaster(readFileSync(postmasterFile(data), 'utf8'))
      if (postmaster) process.kill(postmaster.pid, 'SIGINT')
    } catch {
      // Already ended.
    }
  }
}

async function control({ account, binaries, data }: Cluster, ...command: string[]): Promise<boolean> {
  const { code } = await run(account, { command: [program(binaries, 'pg_ctl'), ...command, '-D', data] })
  return code === 0
}

/**
 * PostgreSQL treats the process in a stale `postmaster.pid` as a live server, even if it is a zombie, or an unrelated
 * program with the same pid. This variable makes it also check whether the dead server's shared memory is in use.
 */
async function stalePidEnvironment(cluster: Cluster): Promise<{ PG_GRANDPARENT_PID?: string }> {
  const postmaster = await readPostmaster(cluster)
  if (!postmaster) return {}
  const command = await commandOf(postmaster.pid)
  return command.includes(cluster.data) ? {} : { PG_GRANDPARENT_PID: `${postmaster.pid}` }
}

async function commandOf(pid: number): Promise<string> {
  if (process.platform === 'linux') return readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
  return (await run(undefined, { command: ['/bin/ps', '-ww', '-o', 'command=', '-p', `${pid}`] })).output
}

/** Returns true when PostgreSQL ended before it was ready. */
async function spawnAndWait(
  cluster: Cluster,
  { signal, log }: { signal: AbortSignal; log: FileHandle },
): Promise<boolean> {
  const { env, ...options } = spawnOptions(cluster.account, { cwd: cluster.folder })
  const child = spawn(program(cluster.binaries, 'postgres'), ['-D', cluster.data, ...settingOptions(cluster)], {
    ...options,
    env: { ...env, ...(await stalePidEnvironment(cluster)) },
    detached: true,
    stdio: ['ignore', log.fd, log.fd],
  })
  child.unref()
  started.add(child)
  child.once('exit', () => started.delete(child))
  let failure: Error | undefined
  child.once('error', (error) => {
    failure = error
  })
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null
  for (;;) {
    if (failure) throw failure
    if (hasEnded()) return true
    const postmaster = await readPostmaster(cluster)
    if (postmaster?.pid === child.pid && postmaster?.isReady) return false
    if (signal.aborted) child.kill('SIGINT')
    await sleep(10)
  }
}

async function judge(cluster: Cluster, { output }: { output: string }): Promise<Launch> {
  if (/lock file ".*" already exists|pre-existing shared memory block/.test(output)) return 'held'
  if (/Address already in use/.test(output)) return 'port_taken'
  const { bavail, bsize } = await statfs(cluster.folder)
  // On a full disk the log may also lack the message.
  if (bavail * bsize < WAL_FILE_BYTES && !output.includes('Read-only')) throw diskIsFull({ path: cluster.folder })
  throw problemFromOutput(output, { path: cluster.folder })
}

/**
 * Keeps one older file. Does not follow links, because the folder belongs to another user when this process is root.
 */
async function openLog({ folder, account }: Cluster): Promise<FileHandle> {
  const path = join(folder, 'server.log')
  const { size } = await lstat(path).catch(() => ({ size: 0 }))
  if (size > LOG_BYTES_KEPT) await rename(path, `${path}.1`)
  const log = await open(path, constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW, 0o600)
  if (account) await log.chown(account.uid, account.gid)
  return log
}

async function readFrom(file: FileHandle, position: number): Promise<string> {
  const { size } = await file.stat()
  const { buffer, bytesRead } = await file.read(Buffer.alloc(Math.max(0, size - position)), { position })
  return buffer.toString('utf8', 0, bytesRead)
}
