import type { CodeOrProprietary, StructuredAddress } from '../../../foundation/core/connections.ts'
import { type ElementRow, never, row } from './element-table-rules.ts'
import type { AccountNumber, BankIdentity } from './message-types.ts'

type Of<Subject, Value> = (subject: Subject) => Value

/** Returns the rows for an ISO code or a code of the bank, at `path/Cd` or `path/Prtry`. */
export const codeRows = <Subject>(
  path: string,
  codeOf: Of<Subject, CodeOrProprietary | null>,
): ElementRow<Subject>[] => {
  const partOf = (subject: Subject) => codeOf(subject) ?? { code: '' }
  return [
    row(`${path}/Cd`, (subject) => partText(partOf(subject), 'code'), 35, 'code', never),
    row(`${path}/Prtry`, (subject) => partText(partOf(subject), 'proprietary'), 35, 'text', never),
  ]
}

/** Returns the value of a choice if it is of the given kind, otherwise null. */
const partText = (choice: object, key: string): string | null =>
  Object.entries(choice).find(([name]) => name === key)?.[1] ?? null

/** Returns the rows for an address in separate fields. If there is an address, town and country are required. */
export const addressRows = <Subject>(
  path: string,
  addressOf: Of<Subject, StructuredAddress | null>,
  isRequired: Of<Subject, boolean>,
): ElementRow<Subject>[] => {
  const isThere = (subject: Subject) => isRequired(subject) || addressOf(subject) !== null
  const part = (key: keyof StructuredAddress) => (subject: Subject) => addressOf(subject)?.[key] ?? null
  return [
    // element                  value               longest  characters  required
    row(`${path}/StrtNm`, part('street'), 70, 'text', never),
    row(`${path}/BldgNb`, part('building'), 16, 'text', never),
    row(`${path}/PstCd`, part('postalCode'), 16, 'text', never),
    row(`${path}/TwnNm`, part('town'), 35, 'text', isThere),
    row(`${path}/CtrySubDvsn`, part('region'), 35, 'text', never),
    row(`${path}/Ctry`, part('country'), 2, 'country', isThere),
  ]
}

/** Returns the rows for a bank with a BIC, or with a number in a clearing system. A bank with a BIC needs no name and no address. */
export const bankRows = <Subject>(
  path: string,
  {
    bankOf,
    isRequired,
    clearingSystemOf,
    bicElement,
  }: {
    bankOf: Of<Subject, BankIdentity | null>
    isRequired: Of<Subject, boolean>
    clearingSystemOf: Of<Subject, string>
    /** Older versions name the BIC differently. */
    bicElement: 'BIC' | 'BICFI'
  },
): ElementRow<Subject>[] => {
  const id = `${path}/FinInstnId`
  const hasNoBic = (subject: Subject) => !bankOf(subject)?.bic?.trim()
  const isUsaba = (subject: Subject) => clearingSystemOf(subject) === 'USABA'
  const numberOf = (subject: Subject) => bankOf(subject)?.clearingNumber?.trim() || null
  const isNumbered = (subject: Subject) => numberOf(subject) !== null
  return [
    // element                              value                                   longest  characters  required
    row(`${id}/${bicElement}`, (one) => bankOf(one)?.bic ?? null, 11, 'bic', never),
    row(
      `${id}/ClrSysMmbId/ClrSysId/Cd`,
      (one) => (isNumbered(one) ? clearingSystemOf(one) : null),
      5,
      'clearing',
      isNumbered,
    ),
    row(
      `${id}/ClrSysMmbId/MmbId`,
      (one) => (isUsaba(one) ? numberOf(one) : null),
      9,
      'routing',
      (one) => isUsaba(one) && hasNoBic(one) && isRequired(one),
    ),
    row(
      `${id}/ClrSysMmbId/MmbId`,
      (one) => (isUsaba(one) ? null : numberOf(one)),
      35,
      'clearing',
      (one) => !isUsaba(one) && hasNoBic(one) && isRequired(one),
    ),
    row(`${id}/Nm`, (one) => bankOf(one)?.name ?? null, 140, 'text', never),
    ...addressRows<Subject>(
      `${id}/PstlAdr`,
      (one) => bankOf(one)?.address ?? null,
      () => false,
    ),
  ]
}

/** Returns the rows for an account with an IBAN, or with a number of the bank. */
export const accountRows = <Subject>(path: string, numberOf: Of<Subject, AccountNumber>): ElementRow<Subject>[] => {
  const iban = (subject: Subject) => partText(numberOf(subject), 'iban')
  return [
    // element                 value                                             longest  characters  required
    row(`${path}/Id/IBAN`, iban, 34, 'iban', never),
    row(
      `${path}/Id/Othr/Id`,
      (one) => partText(numberOf(one), 'number'),
      34,
      'account',
      (one) => iban(one) === null,
    ),
  ]
}
