import { execFileSync } from 'node:child_process'
import { closeSync, fdatasyncSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { cpus, platform, release, totalmem } from 'node:os'
import { join } from 'node:path'
import { VERSION } from '../../src/operation/app/version.ts'
import { percentiles } from './samples.ts'

export type Machine = {
  processor: string
  cores: number
  memoryGiB: number
  system: string
  node: string
  remit: string
  commit: string
  fdatasyncMs: { p50: number; p99: number }
}

/** The machine of the measurement. `folder` is on the database's disk. */
export const describeMachine = (folder: string): Machine => ({
  processor: cpus()[0]?.model ?? 'unknown',
  cores: cpus().length,
  memoryGiB: Math.round(totalmem() / 2 ** 30),
  system: `${systemName()}, ${platform()} ${release()}`,
  node: process.version,
  remit: VERSION,
  commit: commitHash(),
  fdatasyncMs: measureFdatasync(folder),
})

function systemName(): string {
  try {
    return /^PRETTY_NAME="(.*)"$/m.exec(readFileSync('/etc/os-release', 'utf8'))?.[1] ?? 'unknown'
  } catch {
    return 'unknown'
  }
}

function commitHash(): string {
  try {
    const git = (...args: string[]) => execFileSync('git', args, { cwd: import.meta.dirname, encoding: 'utf8' }).trim()
    return (
      git('rev-parse', '--short', 'HEAD') + (git('status', '--porcelain', '--', '../../src') ? ' with changes' : '')
    )
  } catch {
    return 'unknown'
  }
}

const SYNCS = 500
const BLOCK = Buffer.alloc(8192, 1)

/** Measures the time that the disk takes to sync 8 KiB over existing data, like a page of PostgreSQL's log. */
function measureFdatasync(folder: string): { p50: number; p99: number } {
  const path = join(folder, 'fdatasync')
  const file = openSync(path, 'w')
  try {
    for (let at = 0; at < 64; at++) writeSync(file, BLOCK, 0, BLOCK.length, at * BLOCK.length)
    fdatasyncSync(file)
    const times = Array.from({ length: SYNCS }, (_, index) => {
      writeSync(file, BLOCK, 0, BLOCK.length, (index % 64) * BLOCK.length)
      const begin = performance.now()
      fdatasyncSync(file)
      return performance.now() - begin
    })
    const { p50, p99 } = percentiles(times.sort((a, b) => a - b))
    return { p50, p99 }
  } finally {
    closeSync(file)
    rmSync(path)
  }
}
