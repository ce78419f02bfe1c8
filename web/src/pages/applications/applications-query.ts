import { queryOptions } from '@tanstack/react-query'
import { api } from '../../api.ts'

export const applicationsQuery = queryOptions({ queryKey: ['applications'], queryFn: api.applications })
