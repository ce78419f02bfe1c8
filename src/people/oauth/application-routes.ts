import { Type } from 'typebox'
import { del, get, post, put, type Route } from '../../foundation/http/route.ts'
import { closed, idParams, nothing, nullable, text, visible } from '../../foundation/http/schema.ts'
import { formatDateTime } from '../../foundation/lib/clock.ts'
import {
  type Application,
  changeApplication,
  createApplication,
  deleteApplication,
  getApplications,
  rotateSecret,
  showSecret,
} from './application-actions.ts'

const common = { access: 'session', permission: 'developers', tag: 'Applications' } as const

const name = text(2, 80, visible)
const site = text(1, 256)
const redirectUris = Type.Array(text(1, 2_000), { minItems: 1, maxItems: 10, uniqueItems: true })
const webhookUrl = Type.Optional(nullable(text(1, 256)))
const requiresPkce = Type.Optional(Type.Boolean())
const rotatesRefreshTokens = Type.Optional(Type.Boolean())

const applicationFields = {
  id: Type.String({ description: 'The client_id' }),
  name: Type.String(),
  site: Type.String(),
  redirect_uris: Type.Array(Type.String()),
  webhook_url: nullable(Type.String()),
  requires_pkce: Type.Boolean(),
  rotates_refresh_tokens: Type.Boolean(),
  date: Type.String(),
  previous_secret_expires: nullable(Type.String()),
  is_secret_kept: Type.Boolean(),
}

export const applicationRoutes: Route[] = [
  get(
    '/web/v1/applications',
    {
      ...common,
      summary: 'List your applications',
      answer: closed({ applications: Type.Array(closed(applicationFields)) }),
    },
    async (deps, { caller }) => ({ applications: (await getApplications(deps, caller)).map(applicationAnswer) }),
  ),

  post(
    '/web/v1/applications',
    {
      ...common,
      summary: 'Register an application',
      body: closed({
        name,
        site,
        redirect_uris: redirectUris,
        webhook_url: webhookUrl,
        requires_pkce: requiresPkce,
        rotates_refresh_tokens: rotatesRefreshTokens,
      }),
      status: 201,
      answer: closed({ ...applicationFields, secret: Type.String() }),
      answersSecret: true,
    },
    async (deps, { caller, body }) => {
      const { secret, ...application } = await createApplication(deps, caller, {
        name: body.name,
        site: body.site,
        redirectUris: body.redirect_uris,
        webhookUrl: body.webhook_url ?? null,
        requiresPkce: body.requires_pkce ?? false,
        rotatesRefreshTokens: body.rotates_refresh_tokens ?? false,
      })
      return { ...applicationAnswer(application), secret }
    },
  ),

  put(
    '/web/v1/applications/:id',
    {
      ...common,
      summary: 'Update an application',
      params: idParams,
      body: closed({
        name: Type.Optional(name),
        site: Type.Optional(site),
        redirect_uris: Type.Optional(redirectUris),
        webhook_url: webhookUrl,
        requires_pkce: requiresPkce,
        rotates_refresh_tokens: rotatesRefreshTokens,
      }),
      answer: nothing,
    },
    async (deps, { caller, params, body }) =>
      changeApplication(deps, caller, {
        id: params.id,
        ...(body.name !== undefined && { name: body.name }),
        ...(body.site !== undefined && { site: body.site }),
        ...(body.redirect_uris !== undefined && { redirectUris: body.redirect_uris }),
        ...(body.webhook_url !== undefined && { webhookUrl: body.webhook_url }),
        ...(body.requires_pkce !== undefined && { requiresPkce: body.requires_pkce }),
        ...(body.rotates_refresh_tokens !== undefined && { rotatesRefreshTokens: body.rotates_refresh_tokens }),
      }),
  ),

  del(
    '/web/v1/applications/:id',
    {
      ...common,
      summary: 'Delete an application and its grants',
      params: idParams,
      answer: nothing,
    },
    async (deps, { caller, params }) => deleteApplication(deps, caller, params.id),
  ),

  post(
    '/web/v1/applications/:id/secret',
    {
      ...common,
      summary: 'Rotate the client secret',
      params: idParams,
      status: 201,
      answer: closed({ secret: Type.String(), previous_secret_expires: Type.String() }),
      answersSecret: true,
    },
    async (deps, { caller, params }) => {
      const { secret, previousExpiresAt } = await rotateSecret(deps, caller, params.id)
      return { secret, previous_secret_expires: formatDateTime(previousExpiresAt) }
    },
  ),

  post(
    '/web/v1/applications/:id/secret/show',
    {
      ...common,
      summary: 'Reveal the client secret',
      params: idParams,
      status: 201,
      answer: closed({ secret: Type.String() }),
      answersSecret: true,
    },
    async (deps, { caller, params }) => ({ secret: await showSecret(deps, caller, params.id) }),
  ),
]

const applicationAnswer = (application: Application) => ({
  id: application.id,
  name: application.name,
  site: application.site,
  redirect_uris: application.redirectUris,
  webhook_url: application.webhookUrl,
  requires_pkce: application.requiresPkce,
  rotates_refresh_tokens: application.rotatesRefreshTokens,
  date: formatDateTime(application.createdAt),
  previous_secret_expires: application.previousSecretExpiresAt && formatDateTime(application.previousSecretExpiresAt),
  is_secret_kept: application.isSecretKept,
})
