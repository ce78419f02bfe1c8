import { link, mkdir, readFile, rm } from 'node:fs/promises'
import { dirname, relative } from 'node:path'
import { StartProblem } from '../start-problem.ts'
import { draftOf, replaceFile, syncFolder, writeNewFile } from './durable-file.ts'

const reasons: Record<string, string> = {
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full. Free space on it, or set REMIT_DATA_DIR',
  EDQUOT: 'the disk quota is used up',
  EACCES: 'this user cannot write there',
  EPERM: 'this user cannot write there',
  ENOTDIR: 'a part of the path is a file',
  EEXIST: 'a file is in the way',
}

/** Returns a path as messages show it. Paths below the working directory are relative. */
export function shownPath(path: string): string {
  const shown = relative(process.cwd(), path)
  return shown === '' || shown.startsWith('..') ? path : shown
}

/** Creates a folder that only this user can enter. @throws StartProblem that names the folder and the reason */
export async function createPrivateFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { recursive: true, mode: 0o700 })
  } catch (error) {
    throw writeProblem(path, error)
  }
}

/** Writes a file atomically. Only this user can read it. @throws StartProblem */
export async function writePrivateFile(path: string, content: string): Promise<void> {
  try {
    await replaceFile(path, content)
  } catch (error) {
    throw writeProblem(path, error)
  }
}

/** Reads a file. Creates it if it is missing. If several processes do so at once, one of them creates it. @throws StartProblem */
export async function readOrCreatePrivateFile(path: string, createContent: () => string): Promise<string> {
  const existing = await readIfThere(path)
  if (existing !== null) return existing
  await createPrivateFolder(dirname(path))
  try {
    const draft = draftOf(path)
    await writeNewFile(draft, createContent())
    // Unlike a rename, a link fails if another process created the file first.
    await link(draft, path).catch(ignoreExisting)
    await rm(draft)
    await syncFolder(dirname(path))
  } catch (error) {
    throw writeProblem(path, error)
  }
  return readFile(path, 'utf8')
}

export async function readIfThere(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return null
    throw new StartProblem(`Cannot read ${path}: ${message}`)
  }
}

function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error
}

function writeProblem(path: string, error: unknown): unknown {
  const reason = reasons[(error as NodeJS.ErrnoException).code ?? '']
  return reason ? new StartProblem(`Cannot write ${path}: ${reason}.`) : error
}
