import { readFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { faultsText } from '../../../connections/config/connections-actions.ts'
import { layoutPath, readLayout } from '../../../connections/config/layout-actions.ts'
import { type CheckLayout, DEFAULT_LAYOUT, SHIPPED_LAYOUTS } from '../../../foundation/core/check-layout.ts'
import type { Connection } from '../../../foundation/core/connections.ts'
import { shownPath } from '../../../foundation/lib/files/files.ts'
import { StartProblem } from '../../../foundation/lib/start-problem.ts'
import { type CheckForBank, renderCheckList } from '../../../payments/check/printing/check-list-rules.ts'
import { previewLists } from '../../../payments/check/printing/print-file-actions.ts'
import type { CommandFlags } from '../command-flags.ts'
import { readConfigured } from '../connections/connections-commands.ts'
import { type DatabaseCommand, onDatabase } from '../on-database.ts'
import { type PrintedList, printLists } from './check-layout-printer.ts'

/** Runs `remit checks layout`. @returns the exit code @throws StartProblem with one line for each problem of the layout */
export async function runCheckLayout(flags: CommandFlags, [, given]: readonly string[]): Promise<number> {
  if (flags.dryRun) {
    if (given) throw new StartProblem('--dry-run shows the lists of a connection: leave the layout out.')
    return onDatabase(flags, dryRun(flags))
  }
  if (flags.json) {
    process.stdout.write(await layoutText(given ?? DEFAULT_LAYOUT))
    return 0
  }
  const layout = given ? await readGiven(given) : layoutOf(chosen((await readConfigured()).all, flags))
  console.log(
    `Sample checks. "--dry-run" shows the lists that would be written now.\n\n${printLists(layout, samples(layout))}`,
  )
  return 0
}

/** Reads the text of a layout. Makes the path of the schema absolute in a layout of the package, whose text is copied to another folder. */
async function layoutText(layout: string): Promise<string> {
  const path = layoutPath(layout, process.cwd())
  const text = await readFile(path, 'utf8')
  if (!(SHIPPED_LAYOUTS as readonly string[]).includes(layout)) return text
  const { $schema: schema } = JSON.parse(text) as { $schema: string }
  return text.replace(JSON.stringify(schema), JSON.stringify(resolve(dirname(path), schema)))
}

async function readGiven(given: string): Promise<CheckLayout> {
  const path = layoutPath(given, process.cwd())
  const reading = await readLayout(path)
  if (reading.layout) return reading.layout
  throw new StartProblem(
    'problem' in reading ? `${shownPath(path)} ${reading.problem}.` : faultsText(path, reading.faults),
  )
}

/** Prints the lists that would be written now. */
const dryRun =
  (flags: CommandFlags): DatabaseCommand =>
  async (deps) => {
    const connection = chosen(deps.connections.current().all, flags)
    const lists = await previewLists(deps, connection.id)
    if (lists.length === 0) return `No checks wait for a list of ${connection.id}.`
    return printLists(
      layoutOf(connection),
      lists.map(({ kind, list }) => ({ kind, ...list })),
    )
  }

/** Returns the named connection, or the only one with checks. @throws StartProblem */
function chosen(all: readonly Connection[], { connection: id }: CommandFlags): Connection {
  const withChecks = all.filter(({ checks }) => checks !== null)
  const [first, ...others] = id === undefined ? withChecks : withChecks.filter((one) => one.id === id)
  if (first && others.length === 0) return first
  const names = withChecks.map((one) => one.id).join(', ')
  if (names === '')
    throw new StartProblem('No connection has checks. Name a layout: remit checks layout fixed-with-totals')
  throw new StartProblem(
    first
      ? `Name a connection: --connection ${names.replaceAll(', ', ' or ')}.`
      : `No connection ${id} has checks. There is: ${names}.`,
  )
}

function layoutOf({ checks }: Connection): CheckLayout {
  if (!checks) throw new StartProblem('This connection has no checks.')
  return checks.layout
}

const SAMPLE = { account: '123456789', issuedOn: '2026-03-02', stoppedOn: null }

const SAMPLES: readonly CheckForBank[] = [
  { ...SAMPLE, action: 'issue', number: 1001, cents: 1_250_00, payee: 'Grace Hopper' },
  {
    ...SAMPLE,
    action: 'issue',
    number: 1002,
    cents: 99_999_999_99,
    payee: `Núñez & Söhne, "Ärzte" ${'und Partner '.repeat(5)}GmbH`,
  },
  { ...SAMPLE, action: 'add', number: 1003, cents: 50, payee: 'Ada Lovelace' },
  { ...SAMPLE, action: 'void', number: 999, cents: 300_05, payee: 'Acme, Inc.', stoppedOn: '2026-03-03' },
]

function samples(layout: CheckLayout): PrintedList[] {
  const at = { date: '2026-03-03', time: '140000' }
  const stops = SAMPLES.filter(({ action }) => action === 'void').map((one) => ({ ...one, action: 'stop' as const }))
  return [
    { kind: 'issue', checks: SAMPLES, ...renderCheckList(layout, layout.issueFile, { checks: SAMPLES, at }) },
    { kind: 'stop', checks: stops, ...renderCheckList(layout, layout.stopFile, { checks: stops, at }) },
  ]
}
