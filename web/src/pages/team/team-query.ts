import { queryOptions } from '@tanstack/react-query'
import { api } from '../../api.ts'

export const teamQuery = queryOptions({ queryKey: ['team'], queryFn: api.team })
export const invitationsQuery = queryOptions({ queryKey: ['invitations'], queryFn: api.invitations })
