import type { UserStatus } from '../../answers.ts'
import { userStatuses } from './user-words.ts'

/** The filters of the list of users, kept in its address. */
export type UserFilters = { q: string | undefined; status: UserStatus | undefined }

export const noUserFilters: UserFilters = { q: undefined, status: undefined }

export const readUserFilters = ({ q, status }: Record<string, unknown>): UserFilters => ({
  // The router reads digits.
  q: (typeof q === 'string' && q !== '') || typeof q === 'number' ? String(q).slice(0, 180) : undefined,
  status: typeof status === 'string' && Object.hasOwn(userStatuses, status) ? (status as UserStatus) : undefined,
})
