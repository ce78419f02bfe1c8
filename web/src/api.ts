import type * as Answer from './answers.ts'
import { askForConfirmation } from './confirmation.ts'
import { hasCode, refusal, unreachable } from './service-error.ts'

export type ApplicationFields = {
  name: string
  site: string
  redirect_uris: string[]
  webhook_url: string | null
  requires_pkce: boolean
  rotates_refresh_tokens: boolean
}

export type EndpointFields = { url: string; name: string | null; event_types: Answer.EventType[] }

/** What a list of deliveries is narrowed to, and from where it goes on. Days are those of UTC. */
export type DeliveryFilters = {
  status?: Answer.DeliveryStatus | undefined
  endpoint?: string | undefined
  type?: Answer.EventType | undefined
  start_date?: string | undefined
  end_date?: string | undefined
  cursor?: string | undefined
}

export type ProfileFields = { user: Record<string, string>; merchant?: { address: Record<string, string | null> } }

/** What opens a payment to somebody without an account. */
export type OpenedLink = { token: string; pin?: string }

/** Every call that the app makes. Each rejects with a `ServiceError`. */
export const api = {
  context: () => get<Answer.ServiceContext>('/web/v1/context'),
  signUp: (body: { name: string; email: string; password: string }) =>
    post<Answer.Verification>('/web/v1/sign-up', body),
  confirmSignUp: (body: { verification: string; code: string }) => post('/web/v1/sign-up/confirm', body),
  signIn: (body: { email: string; password: string; code?: string }) =>
    post<{ second_factor: boolean }>('/web/v1/sign-in', body),
  signOut: () => post('/web/v1/sign-out'),
  forgotPassword: (body: { email: string }) => post<Answer.Verification>('/web/v1/password/forgot', body),
  resetPassword: (body: { verification: string; code: string; password: string }) =>
    post('/web/v1/password/reset', body),
  mails: () => get<{ mails: Answer.Mail[] }>('/web/v1/mail').then(({ mails }) => mails),

  consent: (uid: string) => get<Answer.ConsentDetails>(`/oauth/consent/${enc(uid)}/details`),
  authorize: (uid: string, owner: string) =>
    post<Answer.Redirection>(`/oauth/consent/${enc(uid)}/authorize`, { owner }),
  deny: (uid: string) => post<Answer.Redirection>(`/oauth/consent/${enc(uid)}/deny`),

  sessions: () => get<{ sessions: Answer.Session[] }>('/web/v1/sessions').then(({ sessions }) => sessions),
  confirm: (body: { password: string } | { code: string }) => post('/web/v1/confirm', body),
  endSession: (id: string) => remove(`/web/v1/sessions/${enc(id)}`),
  endAllSessions: () => remove('/web/v1/sessions'),
  changePassword: (body: { current: string; password: string }) => put('/web/v1/password', body),
  changeEmail: (body: { email: string; password: string }) => post<Answer.Verification>('/web/v1/email', body),
  confirmEmail: (body: { verification: string; code: string }) => post('/web/v1/email/confirm', body),
  startTwoFactor: (body: { password: string }) => post<Answer.TwoFactorStart>('/web/v1/two-factor', body),
  confirmTwoFactor: (body: { code: string }) => post<Answer.RecoveryCodes>('/web/v1/two-factor/confirm', body),
  renewRecoveryCodes: (body: { password: string; code: string }) =>
    post<Answer.RecoveryCodes>('/web/v1/two-factor/recovery-codes', body),
  removeTwoFactor: (body: { password: string; code: string }) => post('/web/v1/two-factor/remove', body),

  grants: () => get<{ grants: Answer.Grant[] }>('/web/v1/grants').then(({ grants }) => grants),
  revokeGrant: (id: string) => remove(`/web/v1/grants/${enc(id)}`),

  apiKeys: () => get<{ api_keys: Answer.ApiKey[] }>('/web/v1/api-keys').then(({ api_keys }) => api_keys),
  createApiKey: (body: { name: string | null; expiration_date: string | null }) =>
    post<Answer.NewApiKey>('/v3/user/api_key', body),
  revokeApiKey: (id: string) => remove(`/v3/user/api_key/${enc(id)}`),
  developer: () => get<Answer.Developer>('/web/v1/developer'),
  setWebhookUrl: (webhook_uri: string | null) => put('/v3/user', { developer: { webhook_uri } }),
  testWebhook: () => post<Answer.WebhookTest>('/web/v1/webhook-test'),

  endpoints: readEndpoints,
  createEndpoint: (body: EndpointFields) => post<Answer.Endpoint>('/v3/webhook/endpoint', body),
  changeEndpoint: (id: string, body: EndpointFields | { status: Answer.Endpoint['status'] }) =>
    put<Answer.ChangedEndpoint>(`/v3/webhook/endpoint/${enc(id)}`, body),
  deleteEndpoint: (id: string) => remove(`/v3/webhook/endpoint/${enc(id)}`),
  testEndpoint: (id: string) => post<Answer.EndpointTest>(`/v3/webhook/endpoint/${enc(id)}/test`),
  rotateWebhookKey: () => post<Answer.RotatedWebhookKey>('/v3/webhook/key'),
  deliveries: readDeliveriesPage,
  delivery: (event: string, endpoint: string) =>
    get<Answer.DeliveryDetails>(`/v3/webhook/delivery/${enc(event)}/${enc(endpoint)}`),
  event: (id: string) => get<Answer.WebhookEvent>(`/v3/webhook/event/${enc(id)}`),
  replay: (event: string, endpoint: string) => post(`/v3/webhook/delivery/${enc(event)}/${enc(endpoint)}/replay`),
  replayFailed: (body: { since: string; endpoint?: string }) => post<{ replayed: number }>('/v3/webhook/replay', body),

  applications: () =>
    get<{ applications: Answer.Application[] }>('/web/v1/applications').then(({ applications }) => applications),
  createApplication: (body: ApplicationFields) => post<Answer.NewApplication>('/web/v1/applications', body),
  changeApplication: (id: string, body: ApplicationFields) => put(`/web/v1/applications/${enc(id)}`, body),
  deleteApplication: (id: string) => remove(`/web/v1/applications/${enc(id)}`),
  showSecret: (id: string) => post<{ secret: string }>(`/web/v1/applications/${enc(id)}/secret/show`),
  rotateSecret: (id: string) => post<Answer.RotatedSecret>(`/web/v1/applications/${enc(id)}/secret`),

  profile: () => get<Answer.Profile>('/v3/user'),
  changeProfile: (body: ProfileFields) => put('/v3/user', body),
  audit: readAuditPage,

  linkedPayment: (token: string) => post<Answer.LinkedPayment>('/web/v1/pay/read', { token }),
  tryPin: (body: { token: string; pin: string }) => post('/web/v1/pay/pin', body),
  depositLinked: (option: Answer.DepositOption, body: OpenedLink & Record<string, string>) =>
    post<Answer.LinkedPayment>(`/web/v1/pay/deposit/${enc(option.toLowerCase())}`, body),
  printLinked: async (body: OpenedLink) => (await send('POST', '/web/v1/pay/print', body)).blob(),
}

/** A page of the audit trail, and the cursor of the next one: it stands in the Link header only. */
async function readAuditPage(cursor: string | null) {
  const response = await send('GET', `/v3/audit?per_page=25${cursor === null ? '' : `&cursor=${enc(cursor)}`}`)
  const { audit, names } = (await response.json()) as { audit: Answer.AuditEntry[]; names: Record<string, string> }
  return { audit, names, next: nextCursor(response.headers.get('link')) }
}

/** An owner has at most 50. */
async function readEndpoints() {
  const { endpoints } = await get<{ endpoints: Answer.Endpoint[] }>('/v3/webhook/endpoint?per_page=50')
  return endpoints
}

async function readDeliveriesPage(filters: DeliveryFilters) {
  const given = Object.entries(filters).filter((entry): entry is [string, string] => entry[1] !== undefined)
  const response = await send('GET', `/v3/webhook/delivery?${new URLSearchParams([...given, ['per_page', '25']])}`)
  const { deliveries } = (await response.json()) as { deliveries: Answer.Delivery[] }
  return { deliveries, next: nextCursor(response.headers.get('link')) }
}

function nextCursor(link: string | null): string | null {
  const address = /<([^>]*)>;\s*rel="?next"?/.exec(link ?? '')?.[1]
  return address === undefined ? null : new URL(address, window.location.origin).searchParams.get('cursor')
}

const enc = encodeURIComponent
const get = <T>(path: string) => call<T>('GET', path)
const post = <T = unknown>(path: string, body: object = {}) => call<T>('POST', path, body)
const put = <T = unknown>(path: string, body: object) => call<T>('PUT', path, body)
const remove = (path: string) => call('DELETE', path)

async function call<T>(method: string, path: string, body?: object): Promise<T> {
  const response = await send(method, path, body)
  return (response.status === 204 ? {} : await response.json()) as T
}

/** What the service does only for somebody who has just proved who they are is asked for again after the dialog. */
async function send(method: string, path: string, body?: object): Promise<Response> {
  try {
    return await sendOnce(method, path, body)
  } catch (error) {
    if (!hasCode(error, 'confirmation_needed') || !(await askForConfirmation())) throw error
    return sendOnce(method, path, body)
  }
}

async function sendOnce(method: string, path: string, body?: object): Promise<Response> {
  const response = await fetch(path, {
    method,
    credentials: 'same-origin',
    headers: { accept: 'application/json, application/pdf', ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  }).catch(() => {
    throw unreachable()
  })
  if (!response.ok) throw await refusal(response)
  return response
}
