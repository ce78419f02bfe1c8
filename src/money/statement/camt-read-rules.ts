import { readDecimal } from './amount-text-rules.ts'
import { balanceKindOfCode } from './camt-code-rules.ts'
import { readAmount, readDate, readDetail, readEntry, readSign, UnreadElement, withSign } from './camt-entry-rules.ts'
import { type BankTotals, NO_TOTALS, type OpenStatement, openStatement } from './statement-tally-rules.ts'
import type {
  Emit,
  LineDetail,
  ProblemScope,
  ReadOptions,
  StatementBalance,
  StatementKind,
  StatementReader,
} from './statement-types.ts'
import { FrameProblem } from './text-line-rules.ts'
import { createXmlStream, nodeAt, placeOf, textAt, type XmlNode } from './xml-stream-rules.ts'

/** The elements of camt.053, camt.052 and camt.054 that contain one statement. */
const STATEMENTS: Readonly<Record<string, StatementKind>> = {
  Stmt: 'statement',
  Rpt: 'interim',
  Ntfctn: 'notification',
}

const CONTAINERS = ['BkToCstmrStmt', 'BkToCstmrAcctRpt', 'BkToCstmrDbtCdtNtfctn']

const NAMESPACE = /camt\.05[234]\.001\.(\d\d)$/
const VERSIONS = { from: 2, to: 13 }

/** The maximum number of kept details of one entry. If there are more, the file has a problem. */
const MAX_DETAILS = 20_000

/** Reads camt.052, camt.053 and camt.054 of any version, with any prefix and inside any envelope. @throws FrameProblem */
export function createCamtReader(emit: Emit, options: ReadOptions): StatementReader {
  const reading = new CamtReading(emit, options)
  const xml = createXmlStream({
    open: (node) => reading.open(node),
    close: (node) => reading.close(node),
    damage: (place, message) => emit({ type: 'problem', problem: { scope: 'field', place, message } }),
  })
  const guarded = (work: () => void) => {
    try {
      work()
    } catch (error) {
      reading.abandon()
      throw error
    }
  }
  return {
    write: (text) => guarded(() => xml.write(text)),
    end: () =>
      guarded(() => {
        xml.end()
        reading.end()
      }),
  }
}

/** The state of reading a document, with its open statement and entry. */
class CamtReading {
  private readonly emit: Emit
  private readonly today: string
  private containers = 0
  private statements = 0
  private isInside = false
  /** The open statement element. Its entries are removed after they are read. */
  private element: XmlNode | null = null
  private statement: OpenStatement | null = null
  private entry: XmlNode | null = null
  private details: LineDetail[] = []
  private lostDetails = 0

  constructor(emit: Emit, { today }: ReadOptions) {
    this.emit = emit
    this.today = today
  }

  open(node: XmlNode): void {
    this.checkVersion(node)
    if (CONTAINERS.includes(node.name)) {
      this.containers++
      this.isInside = true
    }
    if (!this.element && node.name === 'Ntry')
      this.tell('line', placeOf(node), 'an entry (Ntry) outside of a statement')
    if (this.isInside && !this.element && STATEMENTS[node.name]) this.element = node
    else if (this.element && !this.entry && node.name === 'Ntry') {
      this.begin()
      this.entry = node
      this.details = []
      this.lostDetails = 0
    }
  }

  /** Handles the end of an element. @returns whether the parent keeps the element */
  close(node: XmlNode): boolean {
    if (CONTAINERS.includes(node.name)) this.isInside = false
    if (node === this.entry) {
      this.takeEntry(node)
      this.entry = null
      return false
    }
    if (this.entry && node.name === 'TxDtls') {
      this.takeDetail(node)
      return false
    }
    if (node === this.element) {
      this.endStatement({ isComplete: true })
      return false
    }
    return this.element !== null
  }

  end(): void {
    if (this.containers === 0)
      throw new FrameProblem('line 1', 'the file has no camt.052, camt.053 or camt.054 message')
    if (this.statements === 0) throw new FrameProblem('line 1', 'the message contains no statement')
  }

  /** Ends a statement whose end cannot be read. */
  abandon(): void {
    if (this.element) this.endStatement({ isComplete: false })
  }

  private tell(scope: ProblemScope, place: string, message: string): void {
    this.emit({ type: 'problem', problem: { scope, place, message } })
  }

  private checkVersion(node: XmlNode): void {
    for (const [name, value] of Object.entries(node.attributes)) {
      const version = name.startsWith('xmlns') ? Number(NAMESPACE.exec(value)?.[1]) : Number.NaN
      if (version < VERSIONS.from || version > VERSIONS.to)
        this.tell(
          'field',
          placeOf(node),
          `version ${version} of the message. Versions ${VERSIONS.from} to ${VERSIONS.to} are known`,
        )
    }
  }

  /** Opens the statement at its first entry or its end, because the account and the balances come before them. */
  private begin(): OpenStatement {
    if (this.statement) return this.statement
    this.statements++
    const element = this.element as XmlNode
    const sequence = textAt(element, 'ElctrncSeqNb') || textAt(element, 'LglSeqNb')
    const page =
      textAt(element, 'StmtPgntn/PgNb') || textAt(element, 'RptPgntn/PgNb') || textAt(element, 'NtfctnPgntn/PgNb')
    const last =
      textAt(element, 'StmtPgntn/LastPgInd') ||
      textAt(element, 'RptPgntn/LastPgInd') ||
      textAt(element, 'NtfctnPgntn/LastPgInd')
    const account = nodeAt(element, 'Acct')
    const day = this.dayOf(element)
    const isFuture = day !== null && day > this.today
    this.statement = openStatement(
      {
        place: placeOf(element),
        kind: STATEMENTS[element.name] as StatementKind,
        action: 'new',
        isCopy: ['COPY', 'CODU', 'DUPL'].includes(textAt(element, 'CpyDplctInd')),
        account: textAt(account, 'Id/IBAN') || textAt(account, 'Id/Othr/Id') || null,
        currency: textAt(account, 'Ccy') || this.balancesOf(element).currency,
        day: isFuture ? null : day,
        dayProblem: isFuture ? `its day, ${day}, is in the future` : null,
        id: textAt(element, 'Id') || null,
        sequence: /^\d{1,15}$/.test(sequence) ? Number(sequence) : null,
        page: /^\d{1,5}$/.test(page) ? { number: Number(page), isLast: last === 'true' || last === '1' } : null,
      },
      this.emit,
    )
    if (!this.statement.head.account)
      this.tell('statement', placeOf(account ?? element), 'the statement names no account')
    if (isFuture) this.tell('statement', placeOf(element), `the day of the statement, ${day}, is in the future`)
    return this.statement
  }

  /** Returns the day of the closing balance, or of the period of the statement. */
  private dayOf(element: XmlNode): string | null {
    const { balances } = this.balancesOf(element)
    const closing =
      balances.findLast(({ kind }) => kind === 'closing') ?? balances.findLast(({ kind }) => kind === 'interim')
    if (closing?.on) return closing.on
    for (const path of ['FrToDt/ToDtTm', 'CreDtTm']) {
      try {
        const day = readDate(nodeAt(element, path))
        if (day !== null) return day
      } catch (error) {
        if (!(error instanceof UnreadElement)) throw error
      }
    }
    return null
  }

  private balancesOf(
    element: XmlNode,
    onProblem?: (problem: UnreadElement) => void,
  ): { balances: StatementBalance[]; currency: string | null } {
    const balances: StatementBalance[] = []
    let currency: string | null = null
    for (const node of element.children) {
      if (node.name !== 'Bal') continue
      try {
        const code = textAt(node, 'Tp/CdOrPrtry/Cd') || textAt(node, 'Tp/CdOrPrtry/Prtry')
        const amount = readAmount(node)
        currency ??= amount.currency
        const cents = withSign(readSign(node), amount.cents)
        balances.push({ kind: balanceKindOfCode(code), code, cents, on: readDate(nodeAt(node, 'Dt')) })
      } catch (error) {
        if (!(error instanceof UnreadElement)) throw error
        onProblem?.(error)
      }
    }
    return { balances, currency }
  }

  private takeEntry(entry: XmlNode): void {
    const statement = this.begin()
    const scope = { day: statement.head.day, today: this.today }
    try {
      const line = readEntry(entry, this.details, scope, (node, message) => this.tell('field', placeOf(node), message))
      const { currency } = statement.head
      if (currency !== null && line.currency !== currency) {
        statement.lose(placeOf(entry), 'the entry has another currency than its account')
        return
      }
      if (this.lostDetails > 0)
        this.tell(
          'field',
          placeOf(entry),
          `the entry has ${this.lostDetails} details more than the ${MAX_DETAILS} that are kept`,
        )
      statement.take(line)
    } catch (error) {
      if (!(error instanceof UnreadElement)) throw error
      statement.lose(error.place, error.message)
    }
  }

  private takeDetail(node: XmlNode): void {
    if (this.details.length >= MAX_DETAILS) {
      this.lostDetails++
      return
    }
    try {
      this.details.push(readDetail(node, this.entry))
    } catch (error) {
      if (!(error instanceof UnreadElement)) throw error
      this.tell('field', error.place, error.message)
    }
  }

  private endStatement({ isComplete }: { isComplete: boolean }): void {
    const statement = this.begin()
    const element = this.element as XmlNode
    const { balances } = this.balancesOf(element, ({ place, message }) => this.tell('statement', place, message))
    statement.close({ balances, totals: isComplete ? totalsOf(element) : NO_TOTALS, isComplete })
    this.statement = null
    this.element = null
    this.entry = null
  }
}

/** Returns the totals of the entries in `TxsSummry`. */
function totalsOf(element: XmlNode): BankTotals {
  const sum = (path: string): number | null => {
    const text = textAt(element, `TxsSummry/${path}`)
    return text === '' ? null : readDecimal(text, 2).cents
  }
  const count = textAt(element, 'TxsSummry/TtlNtries/NbOfNtries')
  return {
    count: /^\d{1,15}$/.test(count) ? Number(count) : null,
    creditCents: sum('TtlCdtNtries/Sum'),
    debitCents: sum('TtlDbtNtries/Sum'),
  }
}
