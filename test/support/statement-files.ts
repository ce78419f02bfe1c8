// Statements in each format, as banks write them, for tests, comparisons with other readers, and the benchmark.

/** `cents`: credits are positive. `code`: a type code of BAI2. */
export type SampleLine = { cents: number; code: string; reference: string; text: string }

/** `day`: by default `SAMPLE_DAY`. */
export type SampleStatement = { account: string; openingCents: number; lines: readonly SampleLine[]; day?: string }

export const SAMPLE_DAY = '2026-03-04'

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0)
const closingOf = ({ openingCents, lines }: SampleStatement): number =>
  openingCents + sum(lines.map(({ cents }) => cents))
const isCredit = ({ cents }: SampleLine): boolean => cents > 0
const decimal = (cents: number): string => (Math.abs(cents) / 100).toFixed(2)
const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

/** The lines of a BAI2 file of one account. */
export function bai2Lines(statement: SampleStatement): string[] {
  const { account, openingCents, lines, day = SAMPLE_DAY } = statement
  const date = day.slice(2).replaceAll('-', '')
  const credits = lines.filter(isCredit)
  const debits = lines.filter((line) => !isCredit(line))
  const [creditCents, debitCents] = [credits, debits].map((some) => sum(some.map(({ cents }) => Math.abs(cents)))) as [
    number,
    number,
  ]
  const total = openingCents + closingOf(statement) + 2 * (creditCents + debitCents)
  const records = lines.length + 3
  return [
    `01,091000019,REMIT,${date},2359,7,,,2/`,
    `02,REMIT,091000019,1,${date},2359,USD,2/`,
    `03,${account},USD,010,${openingCents},,,015,${closingOf(statement)},,/`,
    `88,100,${creditCents},${credits.length},,400,${debitCents},${debits.length},/`,
    ...lines.map(({ cents, code, reference, text }) => `16,${code},${Math.abs(cents)},Z,,${reference},${text}`),
    `49,${total},${records}/`,
    `98,${total},1,${records + 2}/`,
    `99,${total},1,${records + 4}/`,
  ]
}

/** The lines of a camt.053 of version 08. Each entry is a line. */
export function camtLines(statement: SampleStatement): string[] {
  const { day } = statement
  return [...camtHead(statement), ...statement.lines.map((line) => camtEntry(line, day)), ...CAMT_TAIL]
}

export const CAMT_TAIL = ['</Stmt>', '</BkToCstmrStmt></Document>']

export function camtHead(statement: SampleStatement): string[] {
  const { day = SAMPLE_DAY } = statement
  const balance = (code: string, cents: number) =>
    `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp><Amt Ccy="USD">${decimal(cents)}</Amt><CdtDbtInd>${cents < 0 ? 'DBIT' : 'CRDT'}</CdtDbtInd><Dt><Dt>${day}</Dt></Dt></Bal>`
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt>',
    '<GrpHdr><MsgId>M1</MsgId><CreDtTm>2026-03-05T06:00:00Z</CreDtTm></GrpHdr>',
    `<Stmt><Id>S1</Id><ElctrncSeqNb>7</ElctrncSeqNb><CreDtTm>2026-03-05T06:00:00Z</CreDtTm><Acct><Id><Othr><Id>${statement.account}</Id></Othr></Id><Ccy>USD</Ccy></Acct>`,
    balance('OPBD', statement.openingCents),
    balance('CLBD', closingOf(statement)),
  ]
}

export function camtEntry({ cents, reference, text }: SampleLine, day: string = SAMPLE_DAY): string {
  const sign = cents < 0 ? 'DBIT' : 'CRDT'
  const amount = `<Amt Ccy="USD">${decimal(cents)}</Amt><CdtDbtInd>${sign}</CdtDbtInd>`
  const dates = `<BookgDt><Dt>${day}</Dt></BookgDt><ValDt><Dt>${day}</Dt></ValDt>`
  const code = `<BkTxCd><Domn><Cd>PMNT</Cd><Fmly><Cd>${cents < 0 ? 'ICDT' : 'RCDT'}</Cd><SubFmlyCd>ATXN</SubFmlyCd></Fmly></Domn></BkTxCd>`
  const detail = `<NtryDtls><TxDtls><Refs><EndToEndId>${reference}</EndToEndId></Refs>${amount}<RmtInf><Ustrd>${escaped(text)}</Ustrd></RmtInf></TxDtls></NtryDtls>`
  return `<Ntry>${amount}<Sts><Cd>BOOK</Cd></Sts>${dates}<AcctSvcrRef>B-${reference}</AcctSvcrRef>${code}${detail}</Ntry>`
}

/** The lines of a CSV file. `CSV_MAPPING` describes it. */
export function csvLines({ openingCents, lines, day = SAMPLE_DAY }: SampleStatement): string[] {
  let balanceCents = openingCents
  const rows = lines.map(({ cents, reference, text }) => {
    balanceCents += cents
    const [amount, balance] = [cents, balanceCents].map((one) => `${one < 0 ? '-' : ''}${decimal(one)}`)
    return `${day},"${text}",${reference},${amount},${balance}`
  })
  return ['First Example Bank', 'Date,Description,Reference,Amount,Balance', ...rows, 'Total,,,,']
}

export const CSV_MAPPING = {
  account: '123456789',
  columns: { booked_on: 'Date', text: 'Description', customer: 'Reference', amount: 'Amount', balance: 'Balance' },
  ignored_lines: ['Total'],
}
