import { recordAudit } from '../../foundation/audit/audit-actions.ts'
import { ApiError } from '../../foundation/core/errors.ts'
import type { Deps, TxDeps } from '../../foundation/db/deps.ts'
import type { Caller } from '../../foundation/http/caller.ts'
import { newKey, newSecret } from '../../foundation/lib/ids.ts'
import { hashSecret } from '../../foundation/lib/secret.ts'
import { getApplicationUrls, setWebhookUrl } from '../../webhook/endpoint/webhook-actions.ts'
import { requireRedirectUris, requireSite, SECRET_OVERLAP_MS } from './application-rules.ts'
import {
  type ApplicationRow,
  findSealedSecret,
  insertApplication,
  listApplications,
  lockApplication,
  markApplicationDeleted,
  replaceSecret,
  type StoredSecret,
  updateApplication,
} from './application-store.ts'

export type Application = ApplicationRow & { webhookUrl: string | null }

/** An application's fields as the owner sends them; null removes a URL. */
export type ApplicationFields = {
  name: string
  site: string
  redirectUris: string[]
  webhookUrl: string | null
  requiresPkce: boolean
  rotatesRefreshTokens: boolean
}

export async function getApplications(deps: Deps, { platformId }: Caller): Promise<Application[]> {
  const [applications, urls] = await Promise.all([
    listApplications(deps.sql, platformId),
    getApplicationUrls(deps, platformId),
  ])
  return applications.map((application) => ({ ...application, webhookUrl: urls.get(application.id) ?? null }))
}

/** Registers an application. @throws ApiError invalid_request */
export async function createApplication(
  deps: TxDeps,
  caller: Caller,
  fields: ApplicationFields,
): Promise<Application & { secret: string }> {
  const { platformId } = caller
  const secret = newSecret(deps)
  const application = {
    platformId,
    id: newKey(deps),
    name: fields.name,
    site: requireSite(fields.site),
    redirectUris: requireRedirectUris(fields.redirectUris),
    requiresPkce: fields.requiresPkce,
    rotatesRefreshTokens: fields.rotatesRefreshTokens,
    createdAt: deps.realClock.now(),
  }
  await insertApplication(deps.sql, { ...application, ...stored(deps, secret) })
  await setWebhookUrl(deps, { platformId, applicationId: application.id }, fields.webhookUrl)
  await recordAudit(deps, caller, 'application_created', application.id)
  const urls = await getApplicationUrls(deps, platformId)
  const webhookUrl = urls.get(application.id) ?? null
  return { ...application, previousSecretExpiresAt: null, isSecretKept: true, webhookUrl, secret }
}

/** Changes the given fields. @throws ApiError application_not_found, invalid_request */
export async function changeApplication(
  deps: TxDeps,
  caller: Caller,
  { id, ...changes }: { id: string } & Partial<ApplicationFields>,
): Promise<void> {
  const application = await requireApplication(deps, caller, id)
  const { name, site, redirectUris, webhookUrl, requiresPkce, rotatesRefreshTokens } = changes
  await updateApplication(deps.sql, {
    ...application,
    name: name ?? application.name,
    site: site === undefined ? application.site : requireSite(site),
    redirectUris: redirectUris === undefined ? application.redirectUris : requireRedirectUris(redirectUris),
    requiresPkce: requiresPkce ?? application.requiresPkce,
    rotatesRefreshTokens: rotatesRefreshTokens ?? application.rotatesRefreshTokens,
  })
  if (webhookUrl !== undefined) {
    await setWebhookUrl(deps, { platformId: caller.platformId, applicationId: id }, webhookUrl)
  }
  await recordAudit(deps, caller, 'application_changed', id)
}

/** Creates a new client secret. The current one keeps working for 24 hours. @throws ApiError application_not_found */
export async function rotateSecret(
  deps: TxDeps,
  caller: Caller,
  id: string,
): Promise<{ secret: string; previousExpiresAt: Date }> {
  const application = await requireApplication(deps, caller, id)
  const secret = newSecret(deps)
  const previousExpiresAt = new Date(deps.realClock.now().getTime() + SECRET_OVERLAP_MS)
  await replaceSecret(deps.sql, application, { ...stored(deps, secret), previousExpiresAt })
  await recordAudit(deps, caller, 'client_secret_rotated', id)
  return { secret, previousExpiresAt }
}

/** Returns the client secret again (specification.md 2.5). @throws ApiError application_not_found, secret_not_kept */
export async function showSecret(deps: TxDeps, caller: Caller, id: string): Promise<string> {
  const application = await requireApplication(deps, caller, id)
  const sealed = await findSealedSecret(deps.sql, application)
  if (!sealed) throw new ApiError('secret_not_kept')
  await recordAudit(deps, caller, 'client_secret_shown', id)
  return deps.keyRing.openText(sealed, 'client secret')
}

const stored = ({ keyRing }: TxDeps, secret: string): StoredSecret => ({
  secretHash: hashSecret(secret),
  secretSealed: keyRing.seal(secret, 'client secret'),
})

/** Deletes the application. Its grants end with it, on every platform. @throws ApiError application_not_found */
export async function deleteApplication(deps: TxDeps, caller: Caller, id: string): Promise<void> {
  const application = await requireApplication(deps, caller, id)
  await markApplicationDeleted(deps.sql, application, deps.realClock.now())
  await setWebhookUrl(deps, { platformId: caller.platformId, applicationId: id }, null)
  await recordAudit(deps, caller, 'application_deleted', id)
}

async function requireApplication(deps: TxDeps, { platformId }: Caller, id: string): Promise<ApplicationRow> {
  const application = await lockApplication(deps.sql, { platformId, id })
  if (!application) throw new ApiError('application_not_found')
  return application
}
