import { Type } from 'typebox'
import { linkNextPage, listQuery, pageNumbers, pageNumbersSchema, pagingOf } from '../http/list-query.ts'
import { get, type Route } from '../http/route.ts'
import { closed, named, nullable, oneOf } from '../http/schema.ts'
import { formatDateTime } from '../lib/clock.ts'
import { getAuditEntries } from './audit-actions.ts'
import { AUDIT_ACTIONS, AUDIT_ACTORS, auditSorts } from './audit-rules.ts'
import type { AuditEntry } from './audit-store.ts'

const AuditTrail = closed({
  audit: Type.Array(
    named('AuditEntry', {
      id: Type.String(),
      date: Type.String(),
      action: oneOf(AUDIT_ACTIONS),
      actor: oneOf(AUDIT_ACTORS, { description: 'owner: a signed-in person' }),
      actor_id: nullable(Type.String({ description: 'The ID of the API key, application or session' })),
      user_id: nullable(Type.String({ description: 'The user on whose behalf the actor acted' })),
      subject: nullable(Type.String({ description: 'The ID of the affected object' })),
      address: nullable(Type.String({ description: 'The IP address of the request' })),
      user_agent: nullable(Type.String()),
    }),
  ),
  names: Type.Record(Type.String(), Type.String(), {
    description:
      'Display names by ID, for the people, users, API keys, applications, accounts and payments in the entries. A session has the name of its person.',
  }),
  ...pageNumbersSchema,
})

export const auditRoutes: Route[] = [
  get(
    '/v3/audit',
    {
      access: 'owner',
      permission: 'audit',
      tag: 'Audit',
      operationId: 'listAuditEntries',
      summary: 'List the audit trail',
      description:
        'Lists the actions on your platform, newest first: sign-ins, and changes to keys, secrets, grants and settings.',
      query: listQuery(Object.keys(auditSorts), {}),
      answer: AuditTrail,
    },
    async (deps, { caller, query, request, reply }) => {
      const paging = pagingOf(query, '-DATE', auditSorts)
      const { rows, next, total, names } = await getAuditEntries(
        deps,
        { platformId: caller.platformId, q: query.q },
        paging,
      )
      linkNextPage(deps, { request, reply }, paging, next)
      return { audit: rows.map(entryAnswer), names, ...(total !== null && pageNumbers(paging, total)) }
    },
  ),
]

const entryAnswer = (entry: AuditEntry) => ({
  id: entry.id,
  date: formatDateTime(entry.createdAt),
  action: entry.action,
  actor: entry.actor,
  actor_id: entry.actorId,
  user_id: entry.userId,
  subject: entry.subject,
  address: entry.address,
  user_agent: entry.userAgent,
})
