import { queryOptions } from '@tanstack/react-query'
import { api } from '../../api.ts'

/** The days on which a payment leaves and arrives. Each review loads them again, because they depend on the current time. */
export const paymentDaysQuery = queryOptions({ queryKey: ['payment-days'], queryFn: api.paymentDays, gcTime: 0 })
