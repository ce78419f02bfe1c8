import { queryOptions } from '@tanstack/react-query'
import { api } from '../../api.ts'

export const banksQuery = queryOptions({ queryKey: ['banks'], queryFn: api.banks })
export const walletsQuery = queryOptions({ queryKey: ['wallets'], queryFn: api.wallets })
