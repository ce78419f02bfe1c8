import { queryOptions } from '@tanstack/react-query'
import { api } from '../../api.ts'

/** They depend on the moment, so that each review asks again. */
export const paymentDaysQuery = queryOptions({ queryKey: ['payment-days'], queryFn: api.paymentDays, gcTime: 0 })
