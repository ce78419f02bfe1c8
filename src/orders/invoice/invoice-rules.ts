/** Days after which a person outside who has not paid is reminded, each counted from the mail before. */
export const REMINDER_DAYS = [7, 7, 14] as const

/** An invoice is OUTGOING for its sender, who is paid, and INCOMING for its recipient, who pays. */
export type Direction = 'INCOMING' | 'OUTGOING'
