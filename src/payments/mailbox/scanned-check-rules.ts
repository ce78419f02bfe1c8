/** A check that was found in a piece of mail, with the data of its MICR line. `drawer` is null if only the sender is known. */
export type ScannedCheck = {
  routing: string
  account: string
  /** The check number without leading zeros. */
  number: string
  amountCents: number
  drawer: string | null
  /** The payment of this service that the check was issued for. */
  own?: OwnCheck
}

export type OwnCheck = { platformId: string; paymentId: string; legId: string }

export const MAX_SCANNED_CHECKS = 20

/** The age in days above which banks may refuse a check (UCC 4-404). */
export const DAYS_UNTIL_STALE = 180

/** The pattern of a check number, which has at most 15 digits. */
export const CHECK_NUMBER = '^0*[1-9]\\d{0,14}$'
