import type { MessageTerms, RailTerms } from '../../src/foundation/core/connections.ts'
import { buildCreditTransfer } from '../../src/money/iso20022/message/credit-transfer-rules.ts'
import type { BankIdentity, CreditOrder, DebtorAccount } from '../../src/money/iso20022/message/message-types.ts'
import { buildRecall, type RecallReason } from '../../src/money/iso20022/message/recall-rules.ts'

// An agreement with a bank, its accounts and orders, for tests of messages.

const railTerms: RailTerms = {
  serviceLevel: { code: 'URGP' },
  localInstrument: null,
  categoryPurpose: null,
  chargeBearer: null,
  clearingSystem: 'USABA',
  hasUetr: true,
  needsAddress: true,
  needsRegulatoryText: false,
  nameLength: 140,
  purpose: null,
  namesSender: false,
  intermediaryBank: null,
  centsPerOrder: null,
  centsPerDay: null,
}

export const sampleTerms: MessageTerms = {
  creditTransfer: 'pain.001.001.09',
  recall: 'camt.055.001.08',
  characters: 'swift',
  initiatingParty: { name: 'Example Payments Inc.', id: 'EXAMPLE01', scheme: 'CUST' },
  rails: {
    WIRE: railTerms,
    SWIFT: { ...railTerms, chargeBearer: 'SHAR' },
    RTP: { ...railTerms, serviceLevel: { code: 'INST' }, localInstrument: { proprietary: 'RTP' }, needsAddress: false },
  },
}

/** An agreement with a bank that reads only the messages of 2009. */
export const olderTerms: MessageTerms = { ...sampleTerms, creditTransfer: 'pain.001.001.03', recall: 'camt.055.001.05' }

export const ourBank: BankIdentity = {
  bic: 'FIRSUS33XXX',
  clearingNumber: '091000019',
  name: 'First Example Bank',
  address: null,
}

export const sampleAccounts: DebtorAccount[] = ['operating', 'payroll'].map((id, index) => ({
  id,
  holder: 'Example Payments Inc.',
  address: { street: 'Main St', building: '1', postalCode: '55401', town: 'Minneapolis', region: 'MN', country: 'US' },
  number: { number: `00012345${index}` },
  currency: 'USD',
  bank: ourBank,
}))

export const legIdOf = (index: number): string => index.toString(16).padStart(32, '0')

/** An order whose values depend on its number. */
export function sampleOrder(index: number, changes: Partial<CreditOrder> = {}): CreditOrder {
  const rail = (['WIRE', 'SWIFT', 'RTP'] as const)[index % 3] as CreditOrder['rail']
  const isAbroad = rail === 'SWIFT'
  return {
    legId: legIdOf(index),
    rail,
    accountId: index % 4 === 3 ? 'payroll' : 'operating',
    executeOn: index % 5 === 4 ? '2026-12-01' : '2026-11-30',
    cents: 1_013 * index + 1,
    currency: 'USD',
    ultimateDebtor: index % 2 === 0 ? 'Łódź Söhne & Co.' : null,
    creditor: {
      name: isAbroad ? 'Große Straße Øst GmbH' : 'O’Neil & Sons, LLC',
      address: isAbroad
        ? {
            street: 'Königsallee',
            building: '1a',
            postalCode: '40212',
            town: 'Düsseldorf',
            region: null,
            country: 'DE',
          }
        : { street: 'Elm St', building: '22', postalCode: '10001', town: 'New York', region: 'NY', country: 'US' },
      account: isAbroad ? { iban: 'DE89370400440532013000' } : { number: `98765${index}` },
    },
    creditorBank: isAbroad
      ? { bic: 'COBADEFFXXX', clearingNumber: null, name: null, address: null }
      : { bic: null, clearingNumber: '021200025', name: 'Second Example Bank', address: null },
    intermediaryBank: index % 6 === 1 ? { bic: 'CHASUS33', clearingNumber: null, name: null, address: null } : null,
    purpose: index % 2 === 0 ? 'SUPP' : null,
    memo: `Invoice ${index}/2026, 50% <final>`,
    regulatoryText: isAbroad ? 'Payment for consulting services rendered in October 2026' : null,
    ...changes,
  }
}

const createdAt = new Date('2026-11-28T10:00:00Z')

/** A request to cancel the only order of a message. */
export function sampleRecall(terms: MessageTerms, reason: RecallReason = 'CUST') {
  const [order, messageId] = [sampleOrder(1), 'a1']
  const { sent } = buildCreditTransfer({ terms, accounts: sampleAccounts, messageId, createdAt, orders: [order] })
  const [payment] = sent.payments
  const [sentOrder] = payment?.orders ?? []
  if (!payment || !sentOrder) throw new Error('the message is empty')
  return buildRecall({
    terms,
    bank: ourBank,
    clearingSystem: 'USABA',
    recallId: 'r1',
    createdAt,
    reason,
    text: 'Ordered twice',
    order: sentOrder,
    executeOn: order.executeOn,
    paymentId: payment.paymentId,
    messageId,
    messageName: terms.creditTransfer,
    messageCreatedAt: createdAt,
  })
}
