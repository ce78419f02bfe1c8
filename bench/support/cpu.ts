import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'

const TICKS_PER_SECOND = 100 // of Linux, on all hardware

/** The CPU seconds that processes have used, including their ended children; 0 without /proc. */
export const cpuSeconds = (pids: readonly number[]): number =>
  pids.reduce((sum, pid) => sum + cpuTicks(pid), 0) / TICKS_PER_SECOND

function cpuTicks(pid: number): number {
  const fields = statOf(pid)
  return fields ? fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) : 0
}

/** The fields of /proc/PID/stat from the third on. The second may contain spaces. */
function statOf(pid: number): string[] | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1')
    return text.slice(text.lastIndexOf(')') + 2).split(' ')
  } catch {
    return null
  }
}

export const parentOf = (pid: number): number => Number(statOf(pid)?.[1] ?? 0)

/** A process and its children. */
export function familyOf(pid: number): number[] {
  try {
    const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
    return [pid, ...pids.map(Number).filter((other) => parentOf(other) === pid)]
  } catch {
    return [pid]
  }
}

/** Resident memory in bytes. */
export function residentBytes(pid: number): number {
  const [, pages] = readFileSync(`/proc/${pid}/statm`, 'latin1').split(' ')
  return Number(pages) * pageSize()
}

let knownPageSize = 0
const pageSize = () => (knownPageSize ||= Number(execFileSync('getconf', ['PAGESIZE'])))
