/** The SEC codes that we send. */
export type SecCode = 'WEB' | 'PPD' | 'CCD' | 'ARC'

/** What Nacha demands of an entry, by how its receiver agreed to it. */
export type EntryClass = {
  secCode: SecCode
  /** The receiver's agreement. */
  authorization: string
  discretionaryData: string
  /** Whether an addenda record may follow. */
  hasAddenda: boolean
  /** The largest entry in cents. Null: any. */
  maxCents: number | null
}

/**
 * One row for each way to agree. TEL, RCK, BOC and POP entries are not sent, because nothing here is agreed by phone, represented or
 * taken at a counter. Source: Nacha Operating Rules, 2.5 and Appendix Three.
 */
export const entryClasses = {
  consumer_debit: {
    secCode: 'WEB',
    authorization: 'The consumer agreed on a page of this service, to this one debit.',
    discretionaryData: 'S', // single
    hasAddenda: true,
    maxCents: null,
  },
  check: {
    secCode: 'ARC',
    authorization: 'The drawer mailed a signed check. Its number identifies the entry.',
    discretionaryData: '',
    hasAddenda: false,
    maxCents: 2_500_000,
  },
  consumer_credit: {
    secCode: 'PPD',
    authorization: 'The consumer gave the account to be paid.',
    discretionaryData: '',
    hasAddenda: true,
    maxCents: null,
  },
  business: {
    secCode: 'CCD',
    authorization: 'The business agreed to entries of this service.',
    discretionaryData: '',
    hasAddenda: true,
    maxCents: null,
  },
} as const satisfies Record<string, EntryClass>

/** `isCheck`: a scanned check is the authorization, whoever holds its account. */
export function entryClassOf({
  holder,
  direction,
  isCheck = false,
}: {
  holder: 'consumer' | 'business'
  direction: 'debit' | 'credit'
  isCheck?: boolean
}): EntryClass {
  if (isCheck && direction === 'debit') return entryClasses.check
  if (holder === 'business') return entryClasses.business
  return direction === 'debit' ? entryClasses.consumer_debit : entryClasses.consumer_credit
}

const classesOfCode = new Map<SecCode, EntryClass>(Object.values(entryClasses).map((one) => [one.secCode, one]))

/** WEB entries say whether they are single or recurring. Every debit here is authorized separately, so it is single. */
export const discretionaryDataOf = (secCode: SecCode): string => classesOfCode.get(secCode)?.discretionaryData ?? ''
