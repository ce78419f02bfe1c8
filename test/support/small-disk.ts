import { execFile } from 'node:child_process'
import { mkdtemp, open, rm, rmdir, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { connect } from '../../src/foundation/db/connect.ts'
import { patient, testServerUrl } from './postgres.ts'

const run = promisify(execFile)

const SIZE = '64m'

export type SmallDisk = { fill(): Promise<void>; empty(): Promise<void> }

/**
 * Runs `work` while a database is on a small file system. Its connections are closed when it is moved there and back.
 *
 * @returns false if file systems cannot be mounted here
 */
export async function onSmallDisk(databaseUrl: string, work: (disk: SmallDisk) => Promise<void>): Promise<boolean> {
  const name = new URL(databaseUrl).pathname.slice(1)
  const admin = connect(testServerUrl(), { max: 1, applicationName: 'test', ...patient })
  const folder = await mkdtemp(join(tmpdir(), 'remit-small-disk-'))
  try {
    await admin`set statement_timeout = 0` // a database that moves waits for checkpoints
    const [row] = await admin<{ dataDirectory: string }[]>`show data_directory`
    const { uid, gid } = await stat(row?.dataDirectory as string)
    const options = `size=${SIZE},mode=0700,uid=${uid},gid=${gid}`
    const isMounted = await run('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder]).catch(() => null)
    if (!isMounted) return false
    const moveTo = async (tablespace: string) => {
      await admin.unsafe(`alter database "${name}" allow_connections false`)
      await admin`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${name}`
      await admin.unsafe(`alter database "${name}" set tablespace ${tablespace}`)
      await admin.unsafe(`alter database "${name}" allow_connections true`)
    }
    const tablespace = `small_disk_${process.pid}`
    const filler = join(folder, 'filler')
    try {
      await admin.unsafe(`create tablespace ${tablespace} location '${folder}'`)
      await moveTo(tablespace)
      await work({ fill: () => fill(filler), empty: () => rm(filler) })
    } finally {
      await moveTo('pg_default')
      await admin.unsafe(`drop tablespace ${tablespace}`)
      await run('umount', ['-l', folder])
    }
    return true
  } finally {
    await admin.end({ timeout: 5 })
    await rmdir(folder)
  }
}

/** Writes until the disk is full. */
async function fill(path: string): Promise<void> {
  const file = await open(path, 'w')
  try {
    for (let block = Buffer.alloc(1 << 20); block.length >= 4_096; ) {
      const isWritten = await file.write(block).then(
        ({ bytesWritten }) => bytesWritten === block.length,
        () => false,
      )
      if (!isWritten) block = block.subarray(0, block.length / 2)
    }
  } finally {
    await file.close()
  }
}
