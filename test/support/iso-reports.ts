import type { SentMessage } from '../../src/money/iso20022/message/message-types.ts'

// Answers in the format of a bank, without Remit's writers. Each element, or each order, is on one line.

type Answer = {
  /** The status of each order by its leg. Others are not listed. */
  orders?: Record<string, { code?: string | null; reason?: string }>
  payments?: Record<string, string>
  group?: string | null
  /** Whether the bank counts orders. */
  isCounted?: boolean
}

const REASON = 'Rsn><Cd'
const reasonText = (element: string, reason: string | undefined) =>
  reason === undefined ? '' : `<${element}><${REASON}>${reason}</Cd></Rsn><AddtlInf>See reason</AddtlInf></${element}>`

/** A pain.002 of the given version about a message. The amounts are those of the sent message. */
export function statusLines(
  sent: SentMessage,
  { orders = {}, payments = {}, group = 'PART', isCounted = true }: Answer,
  version = '10',
): string[] {
  const total = sent.payments.reduce((sum, payment) => sum + payment.orders.length, 0)
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.002.001.${version}">`,
    '<CstmrPmtStsRpt>',
    '<GrpHdr><MsgId>S1</MsgId><CreDtTm>2026-11-28T12:00:00Z</CreDtTm></GrpHdr>',
    `<OrgnlGrpInfAndSts><OrgnlMsgId>${sent.messageId}</OrgnlMsgId><OrgnlMsgNmId>${sent.messageName}</OrgnlMsgNmId>`,
    `<OrgnlNbOfTxs>${total}</OrgnlNbOfTxs>${group === null ? '' : `<GrpSts>${group}</GrpSts>`}`,
    '</OrgnlGrpInfAndSts>',
    ...sent.payments.flatMap(({ paymentId, orders: all }) => {
      const listed = all.filter(({ legId }) => orders[legId] !== undefined)
      const status = payments[paymentId]
      if (listed.length === 0 && status === undefined) return []
      const counts = Map.groupBy(listed, ({ legId }) => orders[legId]?.code ?? '')
      return [
        `<OrgnlPmtInfAndSts><OrgnlPmtInfId>${paymentId}</OrgnlPmtInfId><OrgnlNbOfTxs>${all.length}</OrgnlNbOfTxs>`,
        ...(status === undefined ? [] : [`<PmtInfSts>${status}</PmtInfSts>`]),
        ...[...(isCounted ? counts : [])].map(
          ([code, some]) =>
            `<NbOfTxsPerSts><DtldNbOfTxs>${some.length}</DtldNbOfTxs><DtldSts>${code}</DtldSts></NbOfTxsPerSts>`,
        ),
        ...listed.map(({ legId, cents, currency }) => {
          const { code, reason } = orders[legId] ?? {}
          return [
            `<TxInfAndSts><StsId>${legId.slice(-4)}</StsId><OrgnlInstrId>${legId}</OrgnlInstrId><OrgnlEndToEndId>${legId}</OrgnlEndToEndId>`,
            code === undefined || code === null ? '' : `<TxSts>${code}</TxSts>`,
            reasonText('StsRsnInf', reason),
            `<AcctSvcrRef>B${legId.slice(-4)}</AcctSvcrRef>`,
            `<OrgnlTxRef><Amt><InstdAmt Ccy="${currency}">${(cents / 100).toFixed(2)}</InstdAmt></Amt></OrgnlTxRef></TxInfAndSts>`,
          ].join('')
        }),
        '</OrgnlPmtInfAndSts>',
      ]
    }),
    '</CstmrPmtStsRpt>',
    '</Document>',
  ]
}

/** A camt.029 of the given version about a recall of orders of a message. */
export function recallAnswerLines(
  sent: SentMessage,
  {
    caseId = 'r1',
    conclusion,
    orders = {},
  }: { caseId?: string; conclusion: string | null; orders?: Record<string, { code: string; reason?: string }> },
  version = '09',
): string[] {
  const [first] = sent.payments
  const partyText = '<Pty><Nm>Bank</Nm></Pty>'
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.029.001.${version}">`,
    '<RsltnOfInvstgtn>',
    `<Assgnmt><Id>A1</Id><Assgnr>${partyText}</Assgnr><Assgne>${partyText}</Assgne><CreDtTm>2026-11-28T12:00:00Z</CreDtTm></Assgnmt>`,
    `<RslvdCase><Id>${caseId}</Id><Cretr>${partyText}</Cretr></RslvdCase>`,
    `<Sts>${conclusion === null ? '<AssgnmtCxlConf>true</AssgnmtCxlConf>' : `<Conf>${conclusion}</Conf>`}</Sts>`,
    ...(Object.keys(orders).length === 0
      ? []
      : [
          '<CxlDtls>',
          `<OrgnlPmtInfAndSts><OrgnlPmtInfId>${first?.paymentId}</OrgnlPmtInfId><OrgnlGrpInf><OrgnlMsgId>${sent.messageId}</OrgnlMsgId><OrgnlMsgNmId>${sent.messageName}</OrgnlMsgNmId></OrgnlGrpInf>`,
          ...[...Map.groupBy(Object.values(orders), ({ code }) => code)].map(
            ([code, some]) =>
              `<NbOfTxsPerCxlSts><DtldNbOfTxs>${some.length}</DtldNbOfTxs><DtldSts>${code}</DtldSts></NbOfTxsPerCxlSts>`,
          ),
          ...Object.entries(orders).map(
            ([legId, { code, reason }]) =>
              `<TxInfAndSts><OrgnlInstrId>${legId}</OrgnlInstrId><OrgnlEndToEndId>${legId}</OrgnlEndToEndId><TxCxlSts>${code}</TxCxlSts>${reasonText('CxlStsRsnInf', reason)}</TxInfAndSts>`,
          ),
          '</OrgnlPmtInfAndSts>',
          '</CxlDtls>',
        ]),
    '</RsltnOfInvstgtn>',
    '</Document>',
  ]
}
