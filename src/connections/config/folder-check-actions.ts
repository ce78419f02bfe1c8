import { access, constants, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { writeNewFile } from '../../foundation/lib/files/durable-file.ts'

/** The name of a hidden file, which transfer jobs ignore. */
const TEST_NAME = '.remit-test'

/** The result of one step of a check. `detail`: a sentence without its period. */
export type CheckStep = { name: string; isGood: boolean; detail: string }

/**
 * Checks the folders of a connection. Stops at the first problem.
 *
 * @param given.writes whether to write and remove a test file
 */
export async function checkFolder(path: string, { writes }: { writes: boolean }): Promise<CheckStep[]> {
  const steps: CheckStep[] = []
  for (const name of ['outbound', 'inbound']) {
    const step = await checkOne(join(path, name), name)
    steps.push(step)
    if (!step.isGood) return steps
  }
  return writes ? [...steps, await writeAndRemove(join(path, 'outbound'))] : steps
}

async function checkOne(path: string, name: string): Promise<CheckStep> {
  try {
    const entries = await readdir(path, { withFileTypes: true })
    await access(path, constants.R_OK | constants.W_OK | constants.X_OK)
    const count = entries.filter((entry) => entry.isFile() && !entry.name.startsWith('.')).length
    return { name, isGood: true, detail: `${path}: ${count === 1 ? '1 file' : `${count} files`}` }
  } catch (error) {
    return { name, isGood: false, detail: `${path} ${problemOf(error)}` }
  }
}

async function writeAndRemove(folder: string): Promise<CheckStep> {
  const path = join(folder, TEST_NAME)
  try {
    await rm(path, { force: true })
    await writeNewFile(path, 'Remit wrote this file to test the connection. It can be removed.\n')
    await rm(path)
    return { name: 'write', isGood: true, detail: 'a file was written and removed' }
  } catch (error) {
    return { name: 'write', isGood: false, detail: `${path} ${problemOf(error)}` }
  }
}

function problemOf(error: unknown): string {
  const { code = 'unknown' } = error as NodeJS.ErrnoException
  return problems[code] ?? `cannot be used: ${code}`
}

const problems: Record<string, string> = {
  ENOENT: 'does not exist. The service creates it when it starts',
  ENOTDIR: 'is not a folder',
  EACCES: 'cannot be read and written by this user',
  EROFS: 'is on a read-only file system',
  ENOSPC: 'cannot be written: the disk is full',
}
