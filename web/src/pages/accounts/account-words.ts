import type { Bank } from '../../answers.ts'

export const bankTypes: Record<Bank['type'], string> = {
  CHECKING: 'Checking',
  SAVINGS: 'Savings',
  BUSINESS: 'Business checking',
}

/** The status of a bank as its badge shows it, and what it allows. */
export const bankStatuses: Record<Bank['status'], { name: string; color: string; about: string }> = {
  DEPOSIT_ONLY: { name: 'Receives only', color: 'gray', about: 'Verify it to send payments from it.' },
  PENDING: { name: 'Waiting for verification', color: 'yellow', about: 'We sent two small deposits to it.' },
  VERIFIED: { name: 'Verified', color: 'green', about: 'Sends and receives payments.' },
}

type NamedBank = Pick<Bank, 'name' | 'type' | 'account'> & { nickname?: string | null }

/** A bank by its nickname or its name, or by its last digits. */
export const nameOfBank = ({ nickname, name, type, account }: NamedBank): string =>
  nickname ?? name ?? `${bankTypes[type]} ending in ${account}`
