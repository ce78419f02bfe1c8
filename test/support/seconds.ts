import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { findKept, keep } from './kept.ts'

// The duration of each test file, from the last whole run on this machine. The times in test/seconds.json are those of
// another machine.

const NAME = 'seconds-of-files'
const DEFAULT = 'test/seconds.json'

/** Seconds by file. */
export async function readSeconds(): Promise<Record<string, number>> {
  const kept = await findKept(NAME)
  return JSON.parse(await readFile(kept ? join(kept, 'seconds.json') : DEFAULT, 'utf8'))
}

/**
 * @param timesFile has a line of JSON for each file, with its name and milliseconds. A file that ran twice has two
 * lines.
 */
export async function keepSeconds(timesFile: string): Promise<void> {
  const seconds: Record<string, number> = {}
  for (const line of (await readFile(timesFile, 'utf8')).split('\n').filter(Boolean)) {
    const { name, ms } = JSON.parse(line) as { name: string; ms: number }
    const [file = ''] = name.split(' ', 1)
    seconds[file] = Math.max(seconds[file] ?? 0, Math.round(ms / 100) / 10)
  }
  const folder = `${timesFile}-kept`
  await mkdir(folder)
  await writeFile(join(folder, 'seconds.json'), JSON.stringify(seconds, undefined, 2))
  await keep(NAME, folder, { replaces: true })
}
