/** The SEC codes that we send. */
export type SecCode = 'WEB' | 'PPD' | 'CCD' | 'ARC'

/** Nacha's requirements for an entry, which depend on how its receiver agreed to it. */
export type EntryClass = {
  secCode: SecCode
  /** The form in which the receiver agreed to the entry, for operators. */
  authorization: string
  discretionaryData: string
  /** Whether an addenda record may follow. */
  hasAddenda: boolean
  /** The largest amount in cents, or null for no limit. */
  maxCents: number | null
}

/**
 * The kinds of agreement. TEL, RCK, BOC and POP entries are not sent, because they need an agreement by phone, a check that is presented
 * again, or a check that is accepted at a counter. Source: Nacha Operating Rules, 2.5 and Appendix Three.
 */
export const entryClasses = {
  consumer_debit: {
    secCode: 'WEB',
    authorization: 'The consumer agreed on a page of this service, to this one debit.',
    discretionaryData: 'S', // a single entry
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

/** Returns the kind of agreement of an entry. `isCheck`: a scanned check is the authorization, for every kind of account. */
export function chooseEntryClass({
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

/**
 * Returns the discretionary data of an entry. WEB entries state whether they are single or recurring. Every debit of Remit is authorized
 * separately, so it is single.
 */
export const findDiscretionaryData = (secCode: SecCode): string => classesOfCode.get(secCode)?.discretionaryData ?? ''
