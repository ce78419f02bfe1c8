/** The days until each reminder to a person without an account, counted from the previous mail. */
export const REMINDER_DAYS = [7, 7, 14] as const

/** An invoice is OUTGOING for its sender, who is paid, and INCOMING for its recipient, who pays. */
export type Direction = 'INCOMING' | 'OUTGOING'
