import type { Bank } from '../../answers.ts'

export const bankTypes: Record<Bank['type'], string> = {
  CHECKING: 'Checking',
  SAVINGS: 'Savings',
  BUSINESS: 'Business checking',
}

/** The name of each bank status, and what a bank in that status can do. */
export const bankStatuses: Record<Bank['status'], { name: string; color: string; about: string }> = {
  DEPOSIT_ONLY: { name: 'Receives only', color: 'gray', about: 'Verify it to send payments from it.' },
  PENDING: { name: 'Waiting for verification', color: 'yellow', about: 'We sent two small deposits to it.' },
  VERIFIED: { name: 'Verified', color: 'green', about: 'Sends and receives payments.' },
}

type NamedBank = Pick<Bank, 'name' | 'type' | 'account'> & { nickname?: string | null }

/** Returns the nickname or the name of a bank, or else its last digits. */
export const nameOfBank = ({ nickname, name, type, account }: NamedBank): string =>
  nickname ?? name ?? `${bankTypes[type]} ending in ${account}`
