import { glob, readFile } from 'node:fs/promises'

// Statements about the rows of several platforms. The tables of `npm run test:partitioned` report them to the server's log
// (partitioned.ts).

export const FINDS_WORK = 'finds the platforms that have work'

/** Those of the program that may be, by their purpose: how they begin, or the function that runs them. None is on the way of a request. */
const ALLOWED: Readonly<Record<string, readonly RegExp[]>> = {
  [FINDS_WORK]: [
    /^select (distinct )?platform_id(, bool_or\(is_cut\) as is_cut)? from .* limit \S+$/,
    /^select distinct platform_id from \( select platform_id, id from endpoints where kind = 'listener' /,
    /^select distinct (platform_id from (legs|paper_checks) where |s\.platform_id from audit_seals s )/,
    /^select distinct translate\("platform_id"::text, '\\x-', ''\) as unit from /,
    /^select id from users where platform_id = id order by platform_id limit /,
    /^select platform_id, id(, user_id)? from (endpoints where kind = 'listener'|checkbooks where status = 'PENDING') and /,
    /^with known as \( update receiving_addresses set is_new = false /,
    /^waiting_endpoints_v2$/,
    /^platforms_with_events_v1$/,
  ],
  'writes or reads a file of the bank or the printer': [
    /^select platform_id, id, purpose, .* from legs where (rail = |\(platform_id, id\) in )/,
    /^select (platform_id, leg_id|exists \(select 1) from paper_checks where /,
    /^update paper_checks c set print_file_id = /,
    /^select (distinct l\.subject_id as id|b\.id, b\.routing, b\.account_sealed, b\.type) from unnest\( \S+ \S+ \) as wanted /,
    /^select platform_id, id, .* from checkbooks where id = /,
    /^select l\.id as leg_id, case when l\.purpose = 'payment_push' /,
  ],
  'deletes old rows, and forgets failures of rows that are gone': [
    /^delete from "\w+" where \(.*\) in \( select .* from "\w+" old where /,
    /^select 1 from \S+ where .* limit 1$/,
  ],
  'counts the work that waits': [/^select \( select count\(\*\) from \( select 1 from endpoints e /],
  'is run by the operator: verify-ledger, the rotation of keys, and lists of all platforms': [
    /^select \* from \( select found\.\*, row_number\(\) over \(partition by platform_id\) as nth from /,
    /^select count\(\*\) from \w+$/,
    /get_byte\(\S+, 0\)/, // the key of a sealed value or of a digest
    /^select .* where \S+ is not null and substr\(\S+, 1, \S+\) <> /,
    /^select of_chain\.key_id, /,
    /^select platform_id(, id, kind, payment_id, .*)? from exceptions where /,
    /^select u\.platform_id, coalesce\(u\.business_name, u\.name\) as name from users u where u\.platform_id = u\.id /,
  ],
}

/**
 * The purpose of a statement that may touch several platforms, or null if it may not.
 *
 * @param source the text of the statement, or the name of the function that runs it
 */
export const purposeOf = (source: string): string | null =>
  Object.entries(ALLOWED).find(([, patterns]) => patterns.some((pattern) => pattern.test(source)))?.[0] ?? null

/** The plan of what this function returns is reported as one of its caller, and made for any platform. `cluster.test.ts` looks at functions. */
const CALLS_PLAIN_RETURN = /\bowner_email_v1\(/

/** The statements of the program in the server's log of a run. */
export async function readCrossings(lines: AsyncIterable<string>): Promise<{ allowed: number; others: string[] }> {
  const reported = new Set<string>()
  for await (const line of lines) {
    const [, report] = / LOG: {2}(\{"crossing" : .*\})$/.exec(line) ?? []
    if (report) reported.add(onOneLine((JSON.parse(report) as { crossing: string }).crossing))
  }
  const found = await withoutTests([...reported].filter((statement) => !CALLS_PLAIN_RETURN.test(statement)))
  const others = found.filter((statement) => purposeOf(statement) === null)
  return { allowed: found.length - others.length, others }
}

/** Leaves out the statements whose text is in a test. */
async function withoutTests(statements: readonly string[]): Promise<string[]> {
  const files = await Array.fromAsync(glob(['{test,bench}/**/*.ts', 'src/**/*.test.ts']))
  const sources = await Promise.all(files.map(async (file) => onOneLine(await readFile(file, 'utf8'))))
  const isOfTests = (statement: string) => {
    const parts = fixedParts(statement.replace(/^explain \(.*?\) /, ''))
    return sources.some((source) => parts.every((part) => source.includes(part)))
  }
  return statements.filter((statement) => !isOfTests(statement))
}

const onOneLine = (sql: string): string => sql.replaceAll(/--.*/g, '').replaceAll(/\s+/g, ' ').trim()

/** What stands between the parameters, the names and the ids of a statement. */
const fixedParts = (statement: string): string[] =>
  statement.split(/\$\d+(?:::\w+(?:\[\])?)?|"\w+"|'[0-9a-f]{32}'/).flatMap((part) => part.trim() || [])
