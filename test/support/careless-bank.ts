// A bank whose files have the oddities that real banks and their customers have reported: other encodings and line
// ends, padding, names with accents, text in place of digits, files that are sent twice, in two parts, or damaged.

export type Random = () => number

/** The damage to a file. A damaged file must become a case, and an odd one must be read like a plain one. */
export type Damage = 'wrong total' | 'cut off' | 'wrong trace number' | 'no amount'

const pickFrom = <One>(random: Random, list: readonly One[]): One => list[Math.floor(random() * list.length)] as One

/** Applies each oddity with the probability given. */
function some<Content>(
  random: Random,
  content: Content,
  oddities: readonly (readonly [number, (one: Content) => Content])[],
): Content {
  return oddities.reduce((one, [probability, change]) => (random() < probability ? change(one) : one), content)
}

const replaceAt = (line: string, first: number, text: string): string =>
  line.slice(0, first - 1) + text + line.slice(first - 1 + text.length)

const mapLines = (text: string, type: string, change: (line: string) => string): string =>
  text
    .split('\n')
    .map((line) => (line.startsWith(type) ? change(line) : line))
    .join('\n')

/** Fields that Remit does not use, by the positions of Appendix Four. */
const oddFields = [
  (text: string) => mapLines(text, '1', (line) => replaceAt(line, 41, 'PREMIÈRE BANQUE        ')),
  (text: string) => mapLines(text, '6', (line) => replaceAt(line, 12, ' ')), // the check digit
  (text: string) => mapLines(text, '6', (line) => replaceAt(line, 55, 'NUÑEZ GARCÍA          ')),
  (text: string) => mapLines(text, '799', (line) => replaceAt(line, 22, 'NONE  ')), // the date of death
  (text: string) =>
    mapLines(text, '799', (line) => replaceAt(line, 36, 'COMPTE CLÔTURÉ                              ')),
  (text: string) => mapLines(text, '6', (line) => replaceAt(line, 77, '**')), // discretionary data
  (text: string) => mapLines(text, '7', (line) => replaceAt(line, 80, ' '.repeat(15))), // the bank's own trace number
  (text: string) => mapLines(text, '799', (line) => line.replace(/^799R/, '799r')),
  (text: string) => mapLines(text, '5', (line) => replaceAt(line, 76, '   ')), // the settlement day
] as const

/** The encoding and the line ends of a file. */
const framings = [
  (text: string) => text.replaceAll('\n', '\r\n'),
  (text: string) => text.replaceAll('\n', '\r'),
  (text: string) => text.replaceAll(/ +\n/g, '\n'),
  (text: string) => text.replaceAll('\n', '   \n'),
  (text: string) => text.replaceAll('\n', '\t\n'),
  (text: string) => text.replaceAll(/(9{94}\n)+$/g, ''),
  (text: string) => `${text}${`${'9'.repeat(94)}\n`.repeat(10)}`,
  (text: string) => `${text}\u001a`,
  (text: string) => `${text}\n\n`,
  (text: string) => `\n${text}`,
] as const

const encodings = [
  (text: string) => Buffer.from(text, 'latin1'),
  (text: string) => Buffer.from(text, 'latin1'),
  (text: string) => Buffer.from(text, 'latin1'),
  (text: string) => Buffer.from(text),
  (text: string) => Buffer.from(`\ufeff${text}`),
  (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le'),
  (text: string) => Buffer.from(text, 'utf16le'),
  (text: string) => Buffer.concat([Buffer.from(text, 'latin1'), Buffer.alloc(37)]),
] as const

/** A NACHA file as a careless bank sends it. Nothing that Remit needs is lost. */
export function carelessAch(random: Random, text: string): Buffer {
  const odd = some(
    random,
    text,
    oddFields.map((change) => [0.15, change] as const),
  )
  const framed = some(random, odd, [[0.7, pickFrom(random, framings)]])
  return pickFrom(random, encodings)(framed)
}

/** A NACHA file of returns that lost something in transit. */
export function damagedAch(random: Random, text: string): { content: Buffer; damage: Damage } {
  const damage = pickFrom<Damage>(random, ['wrong total', 'cut off', 'wrong trace number', 'no amount'])
  const lines = text.split('\n')
  const entries = lines.flatMap((line, index) => (line.startsWith('6') ? [index] : []))
  const entry = pickFrom(random, entries)
  const change: Record<Damage, () => string> = {
    'wrong total': () => mapLines(text, '90', (line) => replaceAt(line, 14, '00000999')),
    'cut off': () => lines.slice(0, entry + 1 + Math.floor(random() * 2)).join('\n'),
    'wrong trace number': () =>
      lines.map((line, index) => (index === entry + 1 ? replaceAt(line, 7, '09100001 000000') : line)).join('\n'),
    'no amount': () =>
      lines.map((line, index) => (index === entry ? replaceAt(line, 30, '          ') : line)).join('\n'),
  }
  return { content: carelessAch(random, change[damage]()), damage }
}

/** A file of returns in one or two parts, which may overlap. */
export function splitEntries<Entry>(random: Random, entries: readonly Entry[]): Entry[][] {
  if (entries.length < 2 || random() < 0.6) return [[...entries]]
  const middle = 1 + Math.floor(random() * (entries.length - 1))
  return [entries.slice(0, middle), entries.slice(middle)]
}

/** An acknowledgment as a careless bank sends it. */
export function carelessAcknowledgment(random: Random, text: string): Buffer {
  const odd = some(random, text, [
    [0.2, (one) => `DEPOSITARY: CAISSE D'ÉPARGNE\n${one}`],
    [0.2, (one) => one.replaceAll('\n', '\r\n')],
    [0.2, (one) => one.replaceAll('\n', '   \n')],
    [0.1, (one) => `${one}\u001a`],
  ])
  return pickFrom(random, encodings)(odd)
}

export type PaidLine = { account: string; number: number; cents: number; date: string }

const accountForms = [
  (account: string) => account,
  (account: string) => account.replace(/^(.{3})/, '$1-'),
  (account: string) => `****${account.slice(-4)}`,
  (account: string) => account.replace(/^0+/, ''),
] as const

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

const dateForms = [
  (date: string) => date,
  (date: string) => date.replaceAll('-', ''),
  (date: string) => date.replace(/^(\d+)-(\d+)-(\d+)$/, '$2/$3/$1'),
  (date: string) => date.replace(/^(\d+)-(\d+)-(\d+)$/, (_, y, m, d) => `${Number(m)}/${Number(d)}/${y}`),
  (date: string) => date.replace(/^\d\d(\d\d)-(\d+)-(\d+)$/, (_, y, m, d) => `${d}-${MONTHS[Number(m) - 1]}-${y}`),
] as const

const grouped = (cents: number) => (cents / 100).toLocaleString('en-US', { minimumFractionDigits: 2 })

const amountForms = [
  (cents: number) => (cents / 100).toFixed(2),
  (cents: number) => `$${grouped(cents)}`,
  (cents: number) => `(${grouped(cents)})`,
  (cents: number) => `${grouped(cents)} DR`,
] as const

const headers = [
  ['account', 'number', 'amount', 'date'],
  ['Account Number', 'Check Number', 'Amount', 'Paid Date'],
  ['ACCOUNT NUMBER', 'Check #', 'AMOUNT', 'DATE'],
] as const

/** A list of paid checks as a careless bank sends it. Nothing that Remit needs is lost. */
export function carelessPaidList(random: Random, lines: readonly PaidLine[]): Buffer {
  const separator = pickFrom(random, [',', ';', '\t'])
  const [accountForm, dateForm, amountForm] = [
    pickFrom(random, accountForms),
    pickFrom(random, dateForms),
    pickFrom(random, amountForms),
  ]
  const quoted = (field: string) => (field.includes(separator) ? `"${field}"` : field)
  const isNamed = random() < 0.5
  const rows = lines.map(({ account, number, cents, date }) => [
    accountForm(account),
    String(number),
    amountForm(cents),
    dateForm(date),
    ...(isNamed ? ['Núñez "El Rey" y Cía'] : []),
  ])
  const table = [[...pickFrom(random, headers), ...(isNamed ? ['Payee'] : [])], ...rows].map((fields) =>
    fields.map(quoted).join(separator),
  )
  const framed = some(random, table, [
    [0.2, (all) => ['Paid items report', '', ...all]],
    [0.2, (all) => [...all, '', `Total items: ${lines.length}`]],
    [0.2, (all) => all.map((line, index) => (index > 0 && line.includes(separator) ? `${line}${separator}` : line))],
  ])
  const end = pickFrom(random, ['\n', '\r\n', '\r'])
  return pickFrom(random, encodings)(framed.map((line) => `${line}${end}`).join(''))
}
