import { Type } from 'typebox'
import { list } from '../http/list/list.ts'
import type { Route } from '../http/route.ts'
import { named, nullable, oneOf } from '../http/schema.ts'
import { formatDateTime } from '../lib/clock.ts'
import { getAuditEntries } from './audit-actions.ts'
import { AUDIT_ACTIONS, AUDIT_ACTORS, auditSorts } from './audit-rules.ts'
import type { AuditEntry } from './audit-store.ts'

const Entry = named('AuditEntry', {
  id: Type.String(),
  date: Type.String(),
  action: oneOf(AUDIT_ACTIONS),
  actor: oneOf(AUDIT_ACTORS, { description: 'owner: a signed-in person' }),
  actor_id: nullable(Type.String({ description: 'The ID of the API key, application or session' })),
  user_id: nullable(Type.String({ description: 'The user on whose behalf the actor acted' })),
  subject: nullable(Type.String({ description: 'The ID of the affected object' })),
  address: nullable(Type.String({ description: 'The IP address of the request' })),
  user_agent: nullable(Type.String()),
})

const names = Type.Record(Type.String(), Type.String(), {
  description:
    'Display names by ID, for the people, users, API keys, applications, accounts and payments in the entries. A session has the name of its person.',
})

export const auditRoutes: Route[] = [
  list(
    '/v3/audit',
    {
      access: 'owner',
      permission: 'audit',
      tag: 'Audit',
      operationId: 'listAuditEntries',
      summary: 'List the audit trail',
      description:
        'Lists the actions on your platform, newest first: sign-ins, and changes to keys, secrets, grants and settings.',
    },
    {
      sorts: auditSorts,
      items: { audit: Entry },
      read: (deps, { filter, paging }) => getAuditEntries(deps, filter, paging),
      show: (entry) => entryAnswer(entry),
      more: { fields: { names }, show: ({ names }) => ({ names }) },
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
