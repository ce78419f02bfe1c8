import { open, readdir, readFile, realpath, stat } from 'node:fs/promises'
import { dirname, resolve, sep } from 'node:path'
import type { Connections, SftpTransport } from '../../foundation/core/connections.ts'
import { shownPath } from '../../foundation/lib/files/files.ts'
import { StartProblem } from '../../foundation/lib/start-problem.ts'
import { filesOf, modeProblem, type NamedFile, numbersIn, openProblem, textProblem } from './connections-file-rules.ts'
import { contentProblems, isWithin, type SoundConnection, soundPartsOf } from './connections-problem-rules.ts'
import type { ConnectionsFile } from './connections-schema-rules.ts'
import { shapeProblems } from './connections-shape-rules.ts'
import { type Fault, type Path, type Problem, parseConnections, toFaults } from './connections-syntax-rules.ts'
import { connectionsOf, transportOf } from './connections-view-rules.ts'
import { readLayouts } from './layout-actions.ts'

/**
 * Reads `connections.json` and every file that it names.
 *
 * @throws StartProblem with one line for each problem
 */
export async function readConnections(path: string): Promise<Connections> {
  const { connections, faults } = await checkConnections(path)
  if (!connections) throw new StartProblem(faultsText(path, faults))
  return connections
}

/** The result of the check. `connections` is null if there are problems. */
export type Checked =
  | { connections: Connections; faults: readonly [] }
  | { connections: null; faults: readonly Fault[] }

/** Finds all problems of `connections.json` and of the files that it names. @throws StartProblem if it cannot be read */
export async function checkConnections(path: string): Promise<Checked> {
  const parsed = parseConnections(await readText(path))
  if (!('lineOf' in parsed)) return { connections: null, faults: [parsed] }
  const folder = dirname(resolve(path))
  const refused = [...parsed.problems, ...shapeProblems(parsed.value)]
  const sound = soundPartsOf(parsed.value, refused)
  const files = await readNamedFiles(sound.connections, folder)
  const content = contentProblems(sound)
  const layouts = await readLayouts(sound.connections, { folder, numbers: files.numbers })
  const problems = [
    ...refused,
    ...content,
    ...(await sharedPaths(sound.connections, folder)),
    ...files.problems,
    ...(await schemaFolderProblems(sound.connections, folder)),
    ...layouts.problems,
    ...(await unusableKeys(sound.connections, { folder, known: [...refused, ...content, ...files.problems] })),
  ]
  if (problems.length === 0) {
    return {
      connections: connectionsOf(parsed.value as ConnectionsFile, {
        folder,
        numbers: files.numbers,
        virtualNumbers: files.virtualNumbers,
        layouts: layouts.layouts,
      }),
      faults: [],
    }
  }
  return { connections: null, faults: toFaults(problems, parsed) }
}

/** Formats problems as a title with one line for each problem. */
export function faultsText(path: string, faults: readonly Fault[]): string {
  const width = Math.max(...faults.map(({ line }) => `${line}`.length))
  const lines = faults.map(({ line, place, problem }) => `  line ${`${line}`.padEnd(width)}  ${place}: ${problem}`)
  return [
    `${shownPath(resolve(path))} has ${faults.length === 1 ? 'a fault' : `${faults.length} faults`}:`,
    ...lines,
  ].join('\n')
}

/** Reads a text file. @throws StartProblem */
async function readText(path: string): Promise<string> {
  let bytes: Buffer
  try {
    bytes = await readFile(path)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    const shown = shownPath(resolve(path))
    if (code === 'ENOENT')
      throw new StartProblem(`There is no file ${shown}. Write one with: remit connections init ${shown}`)
    throw new StartProblem(`Cannot read ${shown}: ${code}.`)
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new StartProblem(`${shownPath(resolve(path))} is not UTF-8.`)
  }
}

/** The maximum size of a file. It is enough for a key with many signatures. */
const MAX_FILE_BYTES = 1024 * 1024

type ReadFiles = { problems: Problem[]; numbers: string[][]; virtualNumbers: string[][] }

/**
 * Reads the files that connections name. `numbers`: the account numbers of each connection. `virtualNumbers`: the account numbers for
 * incoming money.
 */
async function readNamedFiles(connections: readonly SoundConnection[], folder: string): Promise<ReadFiles> {
  const problems: Problem[] = []
  const numbers: string[][] = []
  const virtualNumbers: string[][] = []
  for (const connection of connections) {
    const own: string[] = []
    const virtual: string[] = []
    for (const named of filesOf(connection)) {
      const read = await readNamed(named, folder)
      if ('problem' in read) problems.push({ path: named.path, problem: read.problem })
      else if (named.kind === 'account_number') own.push(read.content.trim())
      else if (named.kind === 'virtual_numbers') virtual.push(...numbersIn(read.content))
    }
    numbers.push(own)
    virtualNumbers.push(virtual)
  }
  return { problems, numbers, virtualNumbers }
}

async function readNamed(named: NamedFile, folder: string): Promise<{ content: string } | { problem: string }> {
  try {
    await using file = await open(resolve(folder, named.file), 'r')
    const info = await file.stat()
    if (info.isDirectory()) return { problem: openProblem(named, { code: 'EISDIR', folder }) }
    if (info.size > MAX_FILE_BYTES) return { problem: openProblem(named, { code: 'EFBIG', folder }) }
    const content = await file.readFile('latin1')
    const problem = (named.kind === 'public' ? null : modeProblem(info.mode)) ?? textProblem(named.kind, content)
    return problem === null ? { content } : { problem }
  } catch (error) {
    return { problem: openProblem(named, { code: (error as NodeJS.ErrnoException).code ?? 'unknown', folder }) }
  }
}

/** Lists the folders of XML schemas that cannot be used. */
async function schemaFolderProblems(connections: readonly SoundConnection[], folder: string): Promise<Problem[]> {
  const problems: Problem[] = []
  for (const { iso20022, path } of connections) {
    const given = iso20022?.profile_schemas
    const names = given === undefined ? null : await readdir(resolve(folder, given)).catch(() => [])
    if (names && !names.some((name) => /\.xsd$/i.test(name)))
      problems.push({
        path: [...path, 'iso20022', 'profile_schemas'],
        problem: 'is not a folder with XML schemas (.xsd)',
      })
  }
  return problems
}

/** Lists the keys that exist but cannot be used, for example because of a wrong passphrase. `known`: problems that were found before. */
async function unusableKeys(
  connections: readonly SoundConnection[],
  { folder, known }: { folder: string; known: readonly Problem[] },
): Promise<Problem[]> {
  const problems: Problem[] = []
  for (const { transport, path } of connections) {
    const place = [...path, 'transport']
    if (transport?.type !== 'sftp' || known.some((one) => isWithin(one.path, place))) continue
    // Loaded only if a bank uses SFTP or PGP.
    const { serverProblems } = await import('../transport/open-server-actions.ts')
    const server = transportOf(transport, folder) as SftpTransport
    const key = transport.key_file ? 'key_file' : 'password_file'
    problems.push(...problemsAt([...place, key], await serverProblems(server)))
    if (server.pgp === null) continue
    const { pgpProblems } = await import('../transport/pgp-actions.ts')
    problems.push(...problemsAt([...place, 'pgp'], await pgpProblems(server.pgp)))
  }
  return problems
}

const problemsAt = (path: Path, sentences: readonly string[]): Problem[] =>
  sentences.map((sentence) => ({ path, problem: sentence.replace(/\.$/, '') }))

/** Finds folders of this machine that two connections would share. A link counts as the folder to which it leads. */
async function sharedPaths(connections: readonly SoundConnection[], folder: string): Promise<Problem[]> {
  const problems: Problem[] = []
  const seen: string[] = []
  for (const { transport, path } of connections) {
    if (transport?.type !== 'folder') continue
    const place = [...path, 'transport', 'path']
    const own = await realPath(resolve(folder, transport.path))
    if (own === null) problems.push({ path: place, problem: 'is not a folder' })
    else if (seen.some((other) => isInside(own, other) || isInside(other, own)))
      problems.push({ path: place, problem: 'is also in the folder of another connection' })
    seen.push(own ?? '')
  }
  return problems
}

const isInside = (path: string, folder: string) => `${path}${sep}`.startsWith(`${folder}${sep}`)

/** Returns the path of a folder without links, even if the folder does not exist yet. Returns null for a file. */
async function realPath(path: string): Promise<string | null> {
  try {
    return (await stat(path)).isDirectory() ? await realpath(path) : null
  } catch {
    const outer = dirname(path)
    const real = outer === path ? path : await realPath(outer)
    return real === null ? null : resolve(real, path.slice(outer.length).replace(/^[/\\]/, ''))
  }
}
