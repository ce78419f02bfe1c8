// Statements (camt.053) and notifications (camt.054) of a bank that books and returns orders, written without the code
// of the service.

/** One payment. `cents`: credits are positive. `reason`: the reason of the return (pacs.004). */
export type BankEntry = {
  cents: number
  endToEndId?: string
  uetr?: string
  /** The bank's own reference. */
  bankReference?: string
  reason?: string
  /** Subfamily of the bank's code. By default, that of an ordinary transfer. */
  subfamily?: string
  isReversal?: boolean
  text?: string
}

export type BankReport = {
  kind: 'statement' | 'notification'
  account: string
  day: string
  openingCents?: number
  entries: readonly (BankEntry | readonly BankEntry[])[]
}

const amountOf = (cents: number): string =>
  `<Amt Ccy="USD">${(Math.abs(cents) / 100).toFixed(2)}</Amt><CdtDbtInd>${cents < 0 ? 'DBIT' : 'CRDT'}</CdtDbtInd>`

const element = (name: string, text: string | undefined): string => (text ? `<${name}>${text}</${name}>` : '')

const detailOf = ({ cents, endToEndId, uetr, bankReference, reason, text }: BankEntry): string =>
  `<TxDtls><Refs>${element('AcctSvcrRef', bankReference)}${element('EndToEndId', endToEndId)}${element('UETR', uetr)}</Refs>` +
  `${amountOf(cents)}${text ? `<RmtInf><Ustrd>${text}</Ustrd></RmtInf>` : ''}` +
  `${reason ? `<RtrInf><Rsn><Cd>${reason}</Cd></Rsn></RtrInf>` : ''}</TxDtls>`

function entryOf(given: BankEntry | readonly BankEntry[], day: string): string {
  const parts = [given].flat() as BankEntry[]
  const cents = parts.reduce((sum, part) => sum + part.cents, 0)
  const { subfamily = 'ESCT', isReversal } = parts[0] as BankEntry
  const code = `<BkTxCd><Domn><Cd>PMNT</Cd><Fmly><Cd>${cents < 0 ? 'ICDT' : 'RCDT'}</Cd><SubFmlyCd>${subfamily}</SubFmlyCd></Fmly></Domn></BkTxCd>`
  return (
    `<Ntry>${amountOf(cents)}${isReversal ? '<RvslInd>true</RvslInd>' : ''}<Sts><Cd>BOOK</Cd></Sts>` +
    `<BookgDt><Dt>${day}</Dt></BookgDt>${code}<NtryDtls>${parts.map(detailOf).join('')}</NtryDtls></Ntry>`
  )
}

/** Writes a report of one account. */
export function camtReport({ kind, account, day, openingCents = 0, entries }: BankReport): string {
  const [message, root, part] =
    kind === 'statement'
      ? ['camt.053.001.08', 'BkToCstmrStmt', 'Stmt']
      : ['camt.054.001.08', 'BkToCstmrDbtCdtNtfctn', 'Ntfctn']
  const sum = entries.flat().reduce((total, { cents }) => total + cents, openingCents)
  const balance = (code: string, cents: number) =>
    `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp>${amountOf(cents)}<Dt><Dt>${day}</Dt></Dt></Bal>`
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:${message}"><${root}>`,
    `<GrpHdr><MsgId>${kind}-${day}</MsgId><CreDtTm>${day}T21:00:00Z</CreDtTm></GrpHdr>`,
    `<${part}><Id>${kind}-${day}</Id><CreDtTm>${day}T21:00:00Z</CreDtTm><Acct><Id><Othr><Id>${account}</Id></Othr></Id><Ccy>USD</Ccy></Acct>`,
    ...(kind === 'statement' ? [balance('OPBD', openingCents), balance('CLBD', sum)] : []),
    ...entries.map((entry) => entryOf(entry, day)),
    `</${part}></${root}></Document>`,
  ].join('\n')
}
