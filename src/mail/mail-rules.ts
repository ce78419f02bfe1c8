import type { EnvironmentSettings } from '../lib/environment.ts'

export type MailStatus = 'KEPT' | 'PENDING' | 'SENT' | 'FAILED'

/** Seconds between an attempt to send a mail and the next: four hours in all, then it has failed. */
export const MAIL_DELAYS_SECONDS = [60, 120, 300, 900, 1_800, 3_600, 7_200]

/** Older mail is not sent any more: what it says is not true any more. */
export const MAIL_SENT_WITHIN_DAYS = 1
export const MAIL_KEPT_DAYS = 30

/** Kept mail can be looked at by anybody, where it is nobody's. */
export const isMailShown = ({ showsMail, mailServer }: EnvironmentSettings): boolean => showsMail && mailServer === null
