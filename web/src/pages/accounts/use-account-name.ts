import { useQuery } from '@tanstack/react-query'
import { banksQuery, walletsQuery } from './account-queries.ts'
import { nameOfBank } from './account-words.ts'

/**
 * Returns the name of an account of the platform's owner. The id `null` stands for the default bank. The name is null if there is no
 * such account, and undefined until the accounts are loaded. If they cannot be loaded, the name says so.
 */
export function useAccountName(id: string | null): string | null | undefined {
  const banks = useQuery(banksQuery)
  const wallets = useQuery(walletsQuery)
  const bank = banks.data?.find((one) => (id === null ? one.default : one.id === id))
  if (bank) return nameOfBank(bank)
  const wallet = wallets.data?.find((one) => one.id === id)
  if (wallet) return wallet.name ?? 'Wallet'
  if (banks.isLoadingError || wallets.isLoadingError) return 'Couldn’t be loaded'
  return banks.isPending || wallets.isPending ? undefined : null
}
