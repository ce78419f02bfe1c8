import { useQuery } from '@tanstack/react-query'
import { banksQuery, walletsQuery } from './account-queries.ts'
import { nameOfBank } from './account-words.ts'

/** Returns the name of an account of the platform's owner. `null` stands for the default bank. */
export function useAccountName(id: string | null): string | null {
  const { data: banks = [] } = useQuery(banksQuery)
  const { data: wallets = [] } = useQuery(walletsQuery)
  const bank = banks.find((one) => (id === null ? one.default : one.id === id))
  if (bank) return nameOfBank(bank)
  const wallet = wallets.find((one) => one.id === id)
  return wallet ? (wallet.name ?? 'Wallet') : null
}
