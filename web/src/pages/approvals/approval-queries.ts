import { queryOptions } from '@tanstack/react-query'
import { api } from '../../api.ts'

const REFRESH_MS = 60_000

export const approvalsQuery = queryOptions({ queryKey: ['approvals', 'list'], queryFn: api.approvals })

/** For the menu. */
export const approvalCountQuery = queryOptions({
  queryKey: ['approvals', 'count'],
  queryFn: api.approvalCount,
  refetchInterval: REFRESH_MS,
})

export const policyQuery = queryOptions({ queryKey: ['approval-policy'], queryFn: api.approvalPolicy })
