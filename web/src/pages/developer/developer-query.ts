import { queryOptions } from '@tanstack/react-query'
import { api } from '../../api.ts'

export const developerQuery = queryOptions({ queryKey: ['developer'], queryFn: api.developer })
export const apiKeysQuery = queryOptions({ queryKey: ['api-keys'], queryFn: api.apiKeys })
