import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'

/** A running process, as every user of the machine sees it. */
export type ShownProcess = { pid: number; groupId: number; command: string }

/** Read from /proc where it exists, because not every machine has `ps`. */
export function listProcesses(): ShownProcess[] {
  if (process.platform !== 'linux') return listByPs()
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => readProcess(Number(name)) ?? [])
}

export const findProcess = (pid: number): ShownProcess | null =>
  listProcesses().find((shown) => shown.pid === pid) ?? null

function readProcess(pid: number): ShownProcess | null {
  try {
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
    // After the name, which can contain anything: state, parent, process group (proc(5)).
    const [, , groupId] = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
    return { pid, groupId: Number(groupId), command }
  } catch {
    return null // it has ended
  }
}

function listByPs(): ShownProcess[] {
  const lines = execFileSync('ps', ['axww', '-o', 'pid=,pgid=,command='], { encoding: 'utf8' }).trimEnd().split('\n')
  return lines.map((line) => {
    const [, pid, groupId, command = ''] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? []
    return { pid: Number(pid), groupId: Number(groupId), command }
  })
}
