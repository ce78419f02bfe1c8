import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type CheckLayout, DEFAULT_LAYOUT, SHIPPED_LAYOUTS } from '../../foundation/core/check-layout.ts'
import type { SoundConnection } from './connections-problem-rules.ts'
import { createShapeCheck } from './connections-shape-rules.ts'
import { type Fault, type Problem, parseConnections, toFaults } from './connections-syntax-rules.ts'
import { accountProblem, layoutProblems } from './layout-problem-rules.ts'
import { type LayoutFile, layoutSchema } from './layout-schema-rules.ts'
import { layoutOf } from './layout-view-rules.ts'

const shapeProblems = createShapeCheck(layoutSchema)

/** Returns the file of a layout: one from the package, or one of the operator. @param folder the folder to which relative paths refer */
export const layoutPath = (layout: string, folder: string): string =>
  (SHIPPED_LAYOUTS as readonly string[]).includes(layout)
    ? fileURLToPath(new URL(`../../../layouts/${layout}.json`, import.meta.url))
    : resolve(folder, layout)

/** The result of reading a layout. `problem`: the reason why the file cannot be read at all. */
export type LayoutReading =
  | { layout: CheckLayout }
  | { layout: null; faults: readonly Fault[] }
  | { layout: null; problem: string }

/** Reads a layout and lists all of its problems. */
export async function readLayout(path: string): Promise<LayoutReading> {
  let bytes: Buffer
  try {
    bytes = await readFile(path)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    const names = SHIPPED_LAYOUTS.join(', ')
    if (code === 'ENOENT') return { layout: null, problem: `is neither the name of a layout (${names}) nor a file` }
    return { layout: null, problem: code === 'EISDIR' ? 'is a folder' : `cannot be read: ${code}` }
  }
  const parsed = parseConnections(bytes.toString('utf8'))
  if (!('lineOf' in parsed)) return { layout: null, faults: [parsed] }
  const shape = [...parsed.problems, ...shapeProblems(parsed.value)]
  const problems = shape.length > 0 ? shape : layoutProblems(parsed.value as LayoutFile)
  if (problems.length > 0) return { layout: null, faults: toFaults(problems, parsed) }
  return { layout: layoutOf(parsed.value as LayoutFile) }
}

/**
 * Reads the layouts that connections name. `layouts`: the layout of each connection, or null if it has no checks or the layout has a
 * problem.
 *
 * @param given.numbers the account numbers of each connection
 */
export async function readLayouts(
  connections: readonly SoundConnection[],
  { folder, numbers }: { folder: string; numbers: readonly (readonly string[])[] },
): Promise<{ problems: Problem[]; layouts: (CheckLayout | null)[] }> {
  const problems: Problem[] = []
  const layouts: (CheckLayout | null)[] = []
  for (const [index, connection] of connections.entries()) {
    const { checks, path: outer } = connection
    const given = checks?.positive_pay ?? DEFAULT_LAYOUT
    const reading = checks ? await readLayout(layoutPath(given, folder)) : null
    layouts.push(reading?.layout ?? null)
    if (reading === null) continue
    const path = [...outer, 'checks', 'positive_pay']
    const sentences = sentencesOf(reading, given) ?? ownSentences(connection, reading.layout, numbers[index] ?? [])
    problems.push(...sentences.map((problem) => ({ path, problem })))
  }
  return { problems, layouts }
}

/** Returns the problems of a layout as sentences about the key that names it. Returns null if there are none. */
function sentencesOf(reading: LayoutReading, given: string): string[] | null {
  if (reading.layout) return null
  if ('problem' in reading) return [reading.problem]
  return reading.faults.map(({ line, place, problem }) => `${given}, line ${line}, ${place}: ${problem}`)
}

function ownSentences(
  { checks, accounts = [] }: SoundConnection,
  layout: CheckLayout | null,
  numbers: readonly string[],
): string[] {
  const accountNumber = numbers[accounts.findIndex(({ id }) => id === checks?.account)]
  if (!layout || !checks || accountNumber === undefined || numbers.length < accounts.length) return []
  const { issueFile, stopFile } = layout
  const lists = [issueFile, stopFile].flatMap(({ header, lines, trailer }) => [header, lines, trailer])
  const problem = accountProblem(lists, { accountNumber, firstCheckNumber: checks.first_check_number ?? 1 })
  return problem === null ? [] : [problem]
}
