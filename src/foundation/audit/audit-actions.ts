import { formatDollars } from '../core/money.ts'
import type { Deps, TxDeps } from '../db/deps.ts'
import { cutPage, type Paging, type Position } from '../db/paging.ts'
import type { Credential, Origin } from '../http/caller.ts'
import { formatLongDate } from '../lib/clock.ts'
import { newId } from '../lib/ids.ts'
import type { AuditAction, AuditActor } from './audit-rules.ts'
import {
  type AuditEntry,
  type AuditFilter,
  countAuditEntries,
  findNames,
  insertAuditEntry,
  listAuditEntries,
  listTimesOfReminders,
  type NamedThing,
} from './audit-store.ts'

/**
 * The person or program that acted, and its address: the caller of a request, the operator at the command line, a person who is not signed
 * in, or the service itself. `loginId` is the person, if one is known, even for a failed sign-in.
 */
export type Actor = {
  platformId: string
  userId: string | null
  credential: Credential | { kind: 'client' | 'operator' | 'anonymous' | 'service'; loginId?: string }
  origin: Origin | null
}

const actors: Record<Actor['credential']['kind'], AuditActor> = {
  api_key: 'api_key',
  session: 'owner',
  token: 'application',
  client: 'application',
  operator: 'operator',
  anonymous: 'anonymous',
  service: 'service',
}

/** Adds an audit entry in the transaction of the action. `subject` identifies the object of the action. It must never contain a secret. */
export async function recordAudit(
  deps: Pick<TxDeps, 'sql' | 'realClock' | 'random'>,
  { platformId, userId, credential, origin }: Actor,
  action: AuditAction,
  subject: string | null = null,
): Promise<void> {
  await insertAuditEntry(deps.sql, {
    platformId,
    id: newId({ clock: deps.realClock, random: deps.random }),
    action,
    actor: actors[credential.kind],
    actorId: actorId(credential),
    userId,
    loginId: ('loginId' in credential && credential.loginId) || null,
    subject,
    address: origin?.address ?? null,
    userAgent: origin?.userAgent ?? null,
    createdAt: deps.realClock.now(),
  })
}

function actorId(credential: Actor['credential']): string | null {
  if (credential.kind === 'token') return credential.applicationId
  return 'id' in credential ? credential.id : null
}

/** Lists the audit entries of a platform. `total` is counted only for numbered pages. */
export async function getAuditEntries(
  deps: Deps,
  filter: AuditFilter,
  paging: Paging,
): Promise<{
  rows: AuditEntry[]
  next: Position | null
  total: number | null
  names: Record<string, string>
}> {
  const rows = await listAuditEntries(deps.sql, filter, paging)
  const total = paging.after ? null : await countAuditEntries(deps.sql, filter)
  const page = cutPage(rows, paging)
  return { ...page, total, names: await namesOf(deps, filter.platformId, page.rows) }
}

const ID = /\b[0-9a-f]{32}\b/g

/** Finds the display names of users, keys, applications, accounts, payments and people by their ids. Ids without a name are omitted. */
export async function namesOfIds(
  deps: Pick<TxDeps, 'sql'>,
  platformId: string,
  ids: readonly string[],
): Promise<Record<string, string>> {
  const things = await findNames(deps.sql, platformId, [...new Set(ids)])
  const named = things.filter(({ name }) => name !== '') // a name is empty if the user was deleted
  return Object.fromEntries(named.map((thing) => [thing.id, nameOf(thing)]))
}

/** Returns the names of the ids in audit entries. */
async function namesOf(deps: Deps, platformId: string, rows: AuditEntry[]): Promise<Record<string, string>> {
  const ids = rows.flatMap(
    ({ actorId, userId, loginId, subject }) => `${actorId} ${userId} ${loginId} ${subject}`.match(ID) ?? [],
  )
  const names = await namesOfIds(deps, platformId, ids)
  return {
    ...Object.fromEntries(keysOf(rows).map((id) => [id, `Revoked API key, ends in ${id.slice(-4)}`])),
    ...names,
    ...personBySession(rows, names),
  }
}

/** Returns the person of each session in audit entries. The sessions themselves may have ended. */
const personBySession = (rows: AuditEntry[], names: Record<string, string>): Record<string, string> =>
  Object.fromEntries(
    rows.flatMap(({ actorId, loginId }) => {
      const name = loginId === null ? undefined : names[loginId]
      return actorId !== null && name !== undefined ? [[actorId, name]] : []
    }),
  )

function nameOf({ id, name, amountCents, createdAt }: NamedThing): string {
  if (createdAt) return `${name} created ${formatLongDate(createdAt)}, ends in ${id.slice(-4)}`
  return amountCents === null ? name : `${formatDollars(amountCents)} to ${name}`
}

/** Returns the API keys in audit entries. Some may be revoked now. */
const keysOf = (rows: AuditEntry[]): string[] =>
  rows.flatMap(({ actor, actorId, action, subject }) => [
    ...(actor === 'api_key' && actorId ? [actorId] : []),
    ...(action === 'api_key_created' || action === 'api_key_revoked' ? (subject?.match(ID)?.slice(0, 1) ?? []) : []),
  ])

/** Lists the times at which mails about an invoice were requested, earliest first, in real time. */
export const getTimesOfReminders = (deps: Pick<Deps, 'sql'>, platformId: string, invoiceId: string): Promise<Date[]> =>
  listTimesOfReminders(deps.sql, platformId, invoiceId)
