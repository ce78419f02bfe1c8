import { glob, readFile } from 'node:fs/promises'
import { CROSSING_PURPOSES, type CrossingPurpose } from '../../src/foundation/db/cluster/all-platforms.ts'

// Statements about the rows of several platforms have a mark (`allPlatforms`, or the same comment in a SQL function).
// The tables of the tests report the statements that touch several platforms to the server's log (partitioned.ts).

const MARK = /\/\* all platforms: (.*?) \*\//

/** Returns the purpose for which a statement may touch several platforms, or null if it may not. */
export function purposeOf(statement: string): CrossingPurpose | null {
  const [, purpose] = MARK.exec(statement) ?? []
  return CROSSING_PURPOSES.find((known) => known === purpose) ?? null
}

/**
 * PostgreSQL reports the plan of this function's result as a plan of the caller, and makes it for any platform.
 * `cluster.test.ts` checks functions.
 */
const CALLS_PLAIN_RETURN = /\bowner_email_v1\(/

/**
 * The statements of the program that touched several platforms, from the server's log of a run.
 *
 * @returns `others`: the statements without a mark. `unused`: the beginnings of marked statements that touched one
 * platform
 */
export async function readCrossings(
  lines: AsyncIterable<string>,
): Promise<{ marked: number; others: string[]; unused: string[] }> {
  const reported = new Set<string>()
  for await (const line of lines) {
    const [, report] = / LOG: {2}(\{"crossing" : .*\})$/.exec(line) ?? []
    if (report) reported.add(onOneLine((JSON.parse(report) as { crossing: string }).crossing))
  }
  const [marked, unmarked] = partition([...reported], (statement) => purposeOf(statement) !== null)
  return {
    marked: marked.length,
    others: await withoutTests(unmarked.filter((statement) => !CALLS_PLAIN_RETURN.test(statement))),
    unused: (await markedBeginnings()).filter(
      (beginning) => !marked.some((statement) => statement.includes(beginning)),
    ),
  }
}

function partition(all: readonly string[], isFirst: (one: string) => boolean): [string[], string[]] {
  const { first = [], second = [] } = Object.groupBy(all, (one) => (isFirst(one) ? 'first' : 'second'))
  return [first, second]
}

/** Returns the mark and the first words of each marked statement of the program. */
async function markedBeginnings(): Promise<string[]> {
  const beginnings = (await readSources(['src/**/*-store.ts', 'src/foundation/db/**/*.ts'])).flatMap((source) =>
    [...source.matchAll(/\$\{allPlatforms\('(.*?)'\)\} ([^$`]*)/g)].map(
      ([, purpose, words = '']) => `/* all platforms: ${purpose} */ ${words.trimEnd()}`,
    ),
  )
  return [...new Set(beginnings)]
}

/** Leaves out the statements whose text is in a test. */
async function withoutTests(statements: readonly string[]): Promise<string[]> {
  const sources = await readSources(['{test,bench}/**/*.ts', 'src/**/*.test.ts'])
  const isOfTests = (statement: string) => {
    const parts = fixedParts(statement.replace(/^explain \(.*?\) /, ''))
    return sources.some((source) => parts.every((part) => source.includes(part)))
  }
  return statements.filter((statement) => !isOfTests(statement))
}

async function readSources(patterns: string[]): Promise<string[]> {
  const files = await Array.fromAsync(glob(patterns))
  return Promise.all(files.map(async (file) => onOneLine(await readFile(file, 'utf8'))))
}

const onOneLine = (sql: string): string => sql.replaceAll(/--.*/g, '').replaceAll(/\s+/g, ' ').trim()

/** Returns the fixed parts of a statement: the text between parameters, names and ids. */
const fixedParts = (statement: string): string[] =>
  statement.split(/\$\d+(?:::\w+(?:\[\])?)?|"\w+"|'[0-9a-f]{32}'/).flatMap((part) => part.trim() || [])
