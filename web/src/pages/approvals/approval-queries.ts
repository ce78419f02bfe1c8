import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { api } from '../../api.ts'

const REFRESH_MS = 60_000

export const approvalsQuery = queryOptions({ queryKey: ['approvals', 'list'], queryFn: api.approvals })

export const endedApprovalsQuery = infiniteQueryOptions({
  queryKey: ['approvals', 'ended'],
  queryFn: ({ pageParam }) => api.endedApprovals(pageParam),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ next }) => next,
})

/** Counts the open approvals for the menu. */
export const approvalCountQuery = queryOptions({
  queryKey: ['approvals', 'count'],
  queryFn: api.approvalCount,
  refetchInterval: REFRESH_MS,
})

export const policyQuery = queryOptions({ queryKey: ['approval-policy'], queryFn: api.approvalPolicy })
