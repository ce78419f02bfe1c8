import type { OtherAccounts } from '../../answers.ts'
import { api } from '../../api.ts'

/** The kinds of accounts other than banks and wallets. */
export const kindWords: Record<keyof OtherAccounts, string> = {
  card: 'Debit card',
  wire: 'Wire',
  paypal: 'PayPal',
  venmo: 'Venmo',
  interac: 'Interac e-Transfer',
  vcc: 'Virtual card',
}

export const removeAccount: Record<keyof OtherAccounts, (id: string) => Promise<unknown>> = {
  card: api.removeCard,
  wire: api.removeWire,
  paypal: api.removePayPal,
  venmo: api.removeVenmo,
  interac: api.removeInterac,
  vcc: api.removeVirtualCard,
}
