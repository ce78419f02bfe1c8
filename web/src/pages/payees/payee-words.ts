import type { Payee } from '../../answers.ts'

type Account = Payee['accounts'][number]

/** Returns "Bank account •••• 1234", with the name of the account if it has one. */
export const accountText = ({ name, type, number }: Pick<Account, 'name' | 'type' | 'number'>): string =>
  `${name ?? (type === 'BANK' ? 'Bank account' : 'Card')} •••• ${number}`

/** Returns the address in one line, or null. */
export function addressText({ address }: Pick<Payee, 'address'>): string | null {
  const { line_1, line_2, city, state, zip } = address
  const place = [city, [state, zip].filter(Boolean).join(' ')].filter(Boolean).join(', ')
  return [line_1, line_2, place].filter(Boolean).join(', ') || null
}
