import { appendFile, open } from 'node:fs/promises'
import { join } from 'node:path'
import { after, describe } from 'node:test'
import { endProcess } from './process-end.ts'

/**
 * @property isOnPlainTables whether its databases have the tables as created by the migrations, see
 * `createTestDatabase`
 */
export type TestFile = { name: string; url: string; isOnPlainTables: boolean }

/**
 * Runs test files in this process, one at a time, until none is left. Processes with the same `claimFolder` share the
 * list: each file runs in the process that claims it first.
 */
export async function runInTurn(
  files: readonly TestFile[],
  { claimFolder, timesFile }: { claimFolder: string; timesFile: string },
): Promise<void> {
  for (const [index, file] of files.entries()) {
    if (!(await claim(join(claimFolder, String(index))))) continue
    const begin = performance.now()
    await runFile(file)
    await appendFile(timesFile, `${JSON.stringify({ name: file.name, ms: performance.now() - begin })}\n`)
  }
  await endProcess()
}

/** @returns whether this process is the first to claim it */
async function claim(path: string): Promise<boolean> {
  try {
    await (await open(path, 'wx')).close()
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

/** Creates a suite for each file: the file's shared setup ends with its tests, before the next file is loaded. */
async function runFile({ name, url, isOnPlainTables }: TestFile): Promise<void> {
  if (isOnPlainTables) process.env.TEST_PLAIN_TABLES = '1'
  else delete process.env.TEST_PLAIN_TABLES
  const ended = Promise.withResolvers<void>()
  describe(name, async () => {
    try {
      await import(url)
    } finally {
      after(() => ended.resolve())
    }
  })
  await ended.promise
}
