import { createHash } from 'node:crypto'
import type { Connection } from '../../foundation/core/connections.ts'
import type { Deps, TxDeps } from '../../foundation/db/deps.ts'
import { inTransaction } from '../../foundation/db/transaction.ts'
import { endBankCase, recordBankCase } from '../../foundation/exception/bank-case-actions.ts'
import { addDays, formatDate } from '../../foundation/lib/clock.ts'
import { newId } from '../../foundation/lib/ids.ts'
import { findLegsOfUetrs } from '../iso20022/order/order-answer-actions.ts'
import { type CsvMapping, readCsvMapping } from '../statement/csv-mapping-rules.ts'
import { readStatements } from '../statement/statement-read-actions.ts'
import type { LineDetail, StatementEvent, StatementLine } from '../statement/statement-types.ts'
import { mayNameWallet } from './credit/credit-rules.ts'
import { mayNameLeg, ownNamesOf, type UetrReference } from './line-reference-rules.ts'
import { ownAccountOf, ruleAccountOf } from './own-account-rules.ts'
import { isMarkedAsReturn } from './returned/returned-order-rules.ts'
import { placeStatement, type ReadStatement } from './statement-place-actions.ts'
import {
  countByStatus,
  insertLines,
  type NewLine,
  openStatementFile,
  openStatementRow,
  type StatementFileRow,
  type StatementStatus,
  updateFileCompleted,
  updateFileReopened,
} from './statement-store.ts'

/** A file of statements. `open`: reads the file from its beginning, or returns null if it no longer exists. */
export type StatementFile = {
  connection: Connection
  name: string
  open(): Promise<AsyncIterable<Buffer> | null>
}

export type FileResult = {
  contentHash: Buffer
  /** Whether the whole file was read before, under this or another name. */
  wasKnown: boolean
  statements: { status: StatementStatus; count: number; lines: number }[]
  problems: string[]
}

/**
 * Reads a file of statements as a stream and places each statement. If the process stops, the next pass continues. Equal content is used
 * only once.
 *
 * @param isAgain whether to try statements again that were set aside before
 * @returns null if the file no longer exists
 */
export async function readStatementFile(
  deps: Deps,
  file: StatementFile,
  { isAgain = false }: { isAgain?: boolean } = {},
): Promise<FileResult | null> {
  const contentHash = await hashOf(file)
  if (contentHash === null) return null
  const { connection, name } = file
  const row = await inTransaction(deps, async (tx) => {
    const now = tx.clock.now()
    const given = { id: newId(tx), connectionId: connection.id, name, contentHash, readAt: now, completedAt: null }
    const opened = await openStatementFile(tx.sql, given)
    if (isAgain) await updateFileReopened(tx.sql, opened.id)
    return isAgain ? { ...opened, completedAt: null } : opened
  })
  const wasKnown = row.completedAt !== null
  const reading = new FileReading(deps, connection, row)
  if (!wasKnown) {
    const source = await file.open()
    if (source === null) return null
    await reading.read(source)
  }
  const statements = await countByStatus(deps.sql, row.id)
  return { contentHash, wasKnown, statements, problems: reading.problems }
}

async function hashOf(file: StatementFile): Promise<Buffer | null> {
  const source = await file.open()
  if (source === null) return null
  const hash = createHash('sha256')
  for await (const bytes of source) hash.update(bytes)
  return hash.digest()
}

/**
 * Reads the CSV mapping of a connection. The schema of connections.json does not describe the columns, so their problems are found here.
 */
export function csvMappingOf({ statements }: Connection): { mapping: CsvMapping | null; problems: string[] } {
  if (!statements?.csv) return { mapping: null, problems: [] }
  const { mapping, problems } = readCsvMapping(statements.csv)
  return { mapping, problems: problems ?? [] }
}

const LINES_AT_A_TIME = 1_000

/**
 * The number of payments of one line whose details are always kept. Later payments are kept only if they return a leg, with their reasons,
 * or if they are credits that may name a wallet.
 */
const DETAILS_KEPT = 100

const keptDetails = (details: readonly LineDetail[], { maySpread }: { maySpread: boolean }): LineDetail[] =>
  details.filter(
    (one, index) =>
      index < DETAILS_KEPT || (one.returnReason !== null && mayNameLeg(one)) || (maySpread && mayNameWallet(one)),
  )

/** The maximum number of stored problems of one file. */
const MAX_PROBLEMS = 100

type OpenStatement = Omit<ReadStatement, 'totals'> & {
  isNew: boolean
  /** Whether its account receives money for wallets. */
  fundsWallets: boolean
  lineCount: number
  problems: string[]
  unreadLines: string[]
}

/** Stores the statements of one file, with limited memory. */
class FileReading {
  readonly problems: string[] = []
  private readonly fileProblems: string[] = []
  private readonly deps: Deps
  private readonly connection: Connection
  private readonly file: StatementFileRow
  private position = 0
  private open: OpenStatement | null = null
  private waiting: (NewLine & { uetrs: readonly UetrReference[] })[] = []

  constructor(deps: Deps, connection: Connection, file: StatementFileRow) {
    this.deps = deps
    this.connection = connection
    this.file = file
  }

  async read(source: AsyncIterable<Buffer>): Promise<void> {
    const { mapping, problems } = csvMappingOf(this.connection)
    for (const problem of problems) this.note('statements.csv', problem)
    const format = this.connection.statements?.format ?? null
    // In the time zone of the bank, it may already be the next day.
    const today = formatDate(addDays(this.deps.clock.now(), 1))
    for await (const event of readStatements(source, { format, mapping, today })) await this.take(event)
    if (this.open) await this.close(null)
    if (this.position === 0 && this.fileProblems.length === 0) this.fileProblems.push('it contains no statement')
    await inTransaction(this.deps, async (tx) => {
      if (this.fileProblems.length > 0) {
        const others = this.fileProblems.length > 1 ? `, and ${this.fileProblems.length - 1} more problems` : ''
        await recordBankCase(tx, {
          ...{ kind: 'file_unread', connectionId: this.connection.id, source: 'statement', line: 0, isBankWide: true },
          file: this.file,
          note: `Parts of a file with bank statements may be missing: ${this.fileProblems[0]}${others}.`,
          content: { lines: [], problems: this.fileProblems },
        })
      } else await endBankCase(tx, { kind: 'file_unread', subjectId: this.file.id }, 'The file was read again.')
      await updateFileCompleted(tx.sql, this.file.id, tx.clock.now())
    })
  }

  private async take(event: StatementEvent): Promise<void> {
    switch (event.type) {
      case 'statement':
        if (this.open) await this.close(null)
        return this.begin(event.statement)
      case 'line':
        return this.takeLine(event.line)
      case 'end':
        return this.close(event.totals)
      default:
        return this.takeProblem(event.problem)
    }
  }

  private async begin(head: ReadStatement['head']): Promise<void> {
    const { id, status } = await openStatementRow(this.deps.sql, {
      id: newId(this.deps),
      fileId: this.file.id,
      position: ++this.position,
      place: head.place,
      connectionId: this.connection.id,
      kind: head.kind,
      sequence: head.sequence,
      createdAt: this.deps.clock.now(),
    })
    const { connection, file } = this
    const isNew = status === 'READING'
    const fundsWallets = ownAccountOf(connection, head.account)?.id === connection.virtualAccounts?.account
    const read = { lineCount: 0, problems: [], unreadLines: [] }
    this.open = { id, isNew, connection, fileName: file.name, head, fundsWallets, ...read }
  }

  private async takeLine(line: StatementLine): Promise<void> {
    const { open } = this
    if (!open?.isNew || line.status !== 'booked') return
    const position = ++open.lineCount
    const currency = open.head.currency ?? 'USD'
    if (line.currency !== null && line.currency !== currency)
      return void open.unreadLines.push(`${line.place}: its currency is not ${currency}`)
    if (line.cents === 0) return
    this.waiting.push(this.newLine(line, position))
    if (this.waiting.length >= LINES_AT_A_TIME) await this.flush()
  }

  private newLine(line: StatementLine, position: number): (typeof this.waiting)[number] {
    const { keyRing } = this.deps
    const { ach, statements } = this.connection
    const { references, ...names } = ownNamesOf(line, { odfi: ach?.odfiRoutingNumber ?? null })
    const { name, text, details, valueOn, isReversal, returnReason, charges } = line
    const content = {
      name,
      text,
      references: line.references,
      details: keptDetails(details, { maySpread: line.cents > 0 && this.open?.fundsWallets === true }),
      valueOn,
      isReversal,
      returnReason,
      charges,
    }
    return {
      ...names,
      ...{ id: newId(this.deps), position, place: line.place, bookedOn: line.bookedOn, cents: line.cents },
      ...{ code: line.code, kind: line.kind, references },
      ownAccount: ruleAccountOf(statements?.rules ?? [], line),
      isReturn: isMarkedAsReturn(line),
      contentSealed: keyRing.seal(JSON.stringify(content), 'statement line'),
    }
  }

  private async flush(): Promise<void> {
    const { open, waiting } = this
    if (!open || waiting.length === 0) return
    this.waiting = []
    await inTransaction(this.deps, async (tx) => insertLines(tx.sql, open.id, await this.withOrders(tx, waiting)))
  }

  /** Replaces UETRs by the legs of our orders that have them. */
  private async withOrders(tx: TxDeps, lines: typeof this.waiting): Promise<NewLine[]> {
    const uetrs = [...new Set(lines.flatMap((line) => line.uetrs.map(({ uetr }) => uetr)))]
    if (uetrs.length === 0) return lines
    const found = await findLegsOfUetrs(tx, { connectionId: this.connection.id, uetrs })
    const legs = new Map(found.map(({ uetr, legId }) => [uetr, legId]))
    const ofUetr = ({ cents, uetr }: UetrReference) => {
      const legId = legs.get(uetr)
      return legId === undefined ? [] : [{ cents, legId, trace: null, serial: null }]
    }
    return lines.map((line) => ({ ...line, references: [...line.references, ...line.uetrs.flatMap(ofUetr)] }))
  }

  private async close(totals: ReadStatement['totals']): Promise<void> {
    await this.flush()
    const { open } = this
    this.open = null
    if (open?.isNew) await inTransaction(this.deps, (tx) => placeStatement(tx, { ...open, totals }))
  }

  private takeProblem({ scope, place, message }: { scope: string; place: string; message: string }): void {
    const sentence = `${place}: ${message}`
    if (scope === 'line' && this.open) this.open.unreadLines.push(sentence)
    else if (scope === 'file' || (scope !== 'field' && !this.open)) this.keep(this.fileProblems, sentence)
    else if (this.open) this.keep(this.open.problems, sentence)
    this.keep(this.problems, sentence)
  }

  private note(place: string, message: string): void {
    this.takeProblem({ scope: 'file', place, message })
  }

  private keep(list: string[], sentence: string): void {
    if (list.length < MAX_PROBLEMS) list.push(sentence)
  }
}
