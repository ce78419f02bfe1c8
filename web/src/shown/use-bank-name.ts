import { queryOptions, useQuery } from '@tanstack/react-query'
import { isAbaRoutingNumber } from '../../../src/foundation/core/routing-number.ts'

/** The table of banks. It is a separate script, which is loaded when a page shows the first routing number. */
const bankNamesQuery = queryOptions({
  queryKey: ['bank-names'],
  queryFn: () => import('../../../src/money/bank/bank-name-rules.ts'),
  staleTime: Number.POSITIVE_INFINITY,
  structuralSharing: false,
})

/** Returns the bank of a routing number, and the day of the table. Null if the number is unknown or incomplete. */
export function useKnownBank(routing: string): { name: string; tableDate: string } | null {
  const isWhole = isAbaRoutingNumber(routing)
  const { data } = useQuery({ ...bankNamesQuery, enabled: isWhole })
  const name = isWhole ? data?.bankNameOf(routing) : null
  return data && name ? { name, tableDate: data.BANK_NAMES_DATE } : null
}

export const useBankName = (routing: string): string | null => useKnownBank(routing)?.name ?? null
