import type { DepositOption, LinkedPayment, Role } from './answers.ts'
import type { Body, Query } from './operation.ts'
import { call, get, getPage, post, put, remove, setShownPlatform } from './service-call.ts'
import { hasCode } from './service-error.ts'

export type ApplicationFields = Body<'post', '/web/v1/applications'>
export type EndpointFields = Required<Omit<Body<'put', '/v3/webhook/endpoint/{id}'>, 'status'>>
export type ProfileFields = Body<'put', '/v3/user'>

/** Filters and cursor of a list of deliveries. Days are in the time zone of the platform. */
export type DeliveryFilters = Omit<Query<'get', '/v3/webhook/delivery'>, 'per_page' | 'time_zone'>

/** Filters of the request log. Days are in the time zone of the platform. */
export type RequestFilters = Omit<Query<'get', '/v3/request'>, 'per_page' | 'cursor' | 'time_zone'>

/** Filters and cursor of a search for payments. Days are in the time zone of the platform. */
export type PaymentFilters = Omit<Query<'get', '/v3/payment'>, 'per_page' | 'time_zone'>

/** A new invoice. */
export type InvoiceBody = Body<'post', '/v3/invoice'>

/** Filters of the list of invoices. */
export type InvoiceFilters = Query<'get', '/web/v1/invoices'>

/** The credentials for a payment to a recipient without an account. */
export type OpenedLink = { token: string; pin?: string }

const inPlatformZone = { time_zone: 'PLATFORM' } as const

/** Returns null for the error `not_configured`: the operator has not set up what the call needs. @throws all other errors */
function nullIfNotConfigured(error: unknown): null {
  if (hasCode(error, 'not_configured')) return null
  throw error
}

/** Every call that the app makes. Each rejects with a `ServiceError`. */

export const api = {
  context: async () => {
    const context = await get('/web/v1/context')
    setShownPlatform(context.owner?.id ?? null)
    return context
  },
  signUp: (body: Body<'post', '/web/v1/sign-up'>) => post('/web/v1/sign-up', { body }),
  confirmSignUp: (body: Body<'post', '/web/v1/sign-up/confirm'>) => post('/web/v1/sign-up/confirm', { body }),
  signIn: (body: Body<'post', '/web/v1/sign-in'>) => post('/web/v1/sign-in', { body }),
  signOut: () => post('/web/v1/sign-out'),
  forgotPassword: (body: Body<'post', '/web/v1/password/forgot'>) => post('/web/v1/password/forgot', { body }),
  resetPassword: (body: Body<'post', '/web/v1/password/reset'>) => post('/web/v1/password/reset', { body }),
  mails: () => get('/web/v1/mail').then(({ mails }) => mails),

  consent: (uid: string) => get('/oauth/consent/{uid}/details', { path: { uid } }),
  authorize: (uid: string, owner: string) => post('/oauth/consent/{uid}/authorize', { path: { uid }, body: { owner } }),
  deny: (uid: string) => post('/oauth/consent/{uid}/deny', { path: { uid } }),

  sessions: () => get('/web/v1/sessions').then(({ sessions }) => sessions),
  confirm: (body: Body<'post', '/web/v1/step-up'>) => post('/web/v1/step-up', { body }),
  endSession: (id: string) => remove('/web/v1/sessions/{id}', { path: { id } }),
  endAllSessions: () => remove('/web/v1/sessions'),
  changePassword: (body: Body<'put', '/web/v1/password'>) => put('/web/v1/password', { body }),
  changeEmail: (body: Body<'post', '/web/v1/email'>) => post('/web/v1/email', { body }),
  confirmEmail: (body: Body<'post', '/web/v1/email/confirm'>) => post('/web/v1/email/confirm', { body }),
  startTwoFactor: (body: Body<'post', '/web/v1/two-factor'>) => post('/web/v1/two-factor', { body }),
  confirmTwoFactor: (body: Body<'post', '/web/v1/two-factor/confirm'>) => post('/web/v1/two-factor/confirm', { body }),
  renewRecoveryCodes: (body: Body<'post', '/web/v1/two-factor/recovery-codes'>) =>
    post('/web/v1/two-factor/recovery-codes', { body }),
  removeTwoFactor: (body: Body<'post', '/web/v1/two-factor/remove'>) => post('/web/v1/two-factor/remove', { body }),

  bankConnections: async () => (await get('/web/v1/operator/connections')).connections,
  statementAccounts: async () => (await get('/web/v1/operator/statements')).accounts,
  statementDays: async (account: string, month: string) =>
    (await get('/web/v1/operator/statements/days', { query: { bank_account: account, month } })).days,
  waitingLines: (q: string | undefined) => get('/web/v1/operator/statements/lines', { query: { q } }),
  decidedLines: async (q: string | undefined) =>
    (await get('/web/v1/operator/statements/decisions', { query: { q } })).lines,
  matchLine: (id: string, legs: string[]) =>
    post('/web/v1/operator/statements/lines/{id}/match', { path: { id }, body: { legs } }),
  splitLine: (id: string, parts: { name: string; amount: number }[]) =>
    post('/web/v1/operator/statements/lines/{id}/split', { path: { id }, body: { parts } }),
  ignoreLine: (id: string, why: string) =>
    post('/web/v1/operator/statements/lines/{id}/ignore', { path: { id }, body: { why } }),
  undoLine: (id: string) => post('/web/v1/operator/statements/lines/{id}/undo', { path: { id } }),
  closedMonths: async () => (await get('/web/v1/operator/statements/months')).months,
  monthReport: async (id: string, type: 'pdf' | 'csv') =>
    (await call('get', `/web/v1/operator/statements/months/${id}/${type}`)).blob(),
  team: () => get('/web/v1/team'),
  changeRole: (id: string, role: Role) => put('/web/v1/team/{id}', { path: { id }, body: { role } }),
  removeMember: (id: string) => remove('/web/v1/team/{id}', { path: { id } }),
  leaveTeam: () => post('/web/v1/team/leave'),
  setTwoFactorRule: (two_factor_required: boolean) => put('/web/v1/team/policy', { body: { two_factor_required } }),
  invitations: () => get('/web/v1/invitation').then(({ invitations }) => invitations),
  invite: (body: Body<'post', '/web/v1/invitation'>) => post('/web/v1/invitation', { body }),
  revokeInvitation: (id: string) => remove('/web/v1/invitation/{id}', { path: { id } }),
  readInvitation: (token: string) => post('/web/v1/invitation/read', { body: { token } }),
  acceptInvitation: (body: Body<'post', '/web/v1/invitation/accept'>) => post('/web/v1/invitation/accept', { body }),
  platforms: () => get('/web/v1/platforms').then(({ platforms }) => platforms),
  switchPlatform: (platform: string) => post('/web/v1/platforms/switch', { body: { platform } }),
  setUpPlatform: () => post('/web/v1/platforms/set-up', {}),

  grants: () => get('/web/v1/grants').then(({ grants }) => grants),
  revokeGrant: (id: string) => remove('/web/v1/grants/{id}', { path: { id } }),

  apiKeys: () => get('/web/v1/api-keys').then(({ api_keys }) => api_keys),
  createApiKey: (body: Body<'post', '/v3/user/api_key'>) => post('/v3/user/api_key', { body }),
  revokeApiKey: (id: string) => remove('/v3/user/api_key/{id}', { path: { id } }),
  revokeApiKeyOfUser: (id: string, key: string) => remove('/v3/user/{id}/api_key/{key}', { path: { id, key } }),
  developer: () => get('/web/v1/developer'),
  setWebhookUrl: (webhook_uri: string | null) => put('/web/v1/developer', { body: { developer: { webhook_uri } } }),
  testWebhook: () => post('/web/v1/webhook-test'),

  /** An owner has at most 50. */
  endpoints: () => get('/v3/webhook/endpoint', { query: { per_page: 50 } }).then(({ endpoints }) => endpoints),
  createEndpoint: (body: EndpointFields) => post('/v3/webhook/endpoint', { body }),
  changeEndpoint: (id: string, body: Body<'put', '/v3/webhook/endpoint/{id}'>) =>
    put('/v3/webhook/endpoint/{id}', { path: { id }, body }),
  deleteEndpoint: (id: string) => remove('/v3/webhook/endpoint/{id}', { path: { id } }),
  testEndpoint: (id: string) => post('/v3/webhook/endpoint/{id}/test', { path: { id } }),
  rotateWebhookKey: () => post('/v3/webhook/key'),
  deliveries: async (filters: DeliveryFilters) => {
    const { page, next } = await getPage('/v3/webhook/delivery', { ...filters, ...inPlatformZone, per_page: 25 })
    return { deliveries: page.deliveries, next }
  },
  delivery: (event: string, endpoint: string) =>
    get('/v3/webhook/delivery/{event}/{endpoint}', { path: { event, endpoint } }),
  event: (id: string) => get('/v3/webhook/event/{id}', { path: { id } }),
  replay: (event: string, endpoint: string) =>
    post('/v3/webhook/delivery/{event}/{endpoint}/replay', { path: { event, endpoint } }),
  replayFailed: (body: Body<'post', '/v3/webhook/replay'>) => post('/v3/webhook/replay', { body }),

  events: async (query: Omit<Query<'get', '/web/v1/events'>, 'per_page' | 'time_zone'>) => {
    const { page, next } = await getPage('/web/v1/events', { ...query, ...inPlatformZone, per_page: 25 })
    return { events: page.events, next }
  },
  requests: async (query: Omit<Query<'get', '/v3/request'>, 'per_page' | 'time_zone'>) => {
    const { page, next } = await getPage('/v3/request', { ...query, ...inPlatformZone, per_page: 25 })
    return { ...page, next }
  },

  /** A request with its body, or null if it is not in the log. */
  request: (id: string) =>
    get('/v3/request/{id}', { path: { id } }).catch((error) => {
      if (hasCode(error, 'request_not_found')) return null
      throw error
    }),
  requestSettings: () => get('/v3/request/settings'),
  changeRequestSettings: (body: Body<'put', '/v3/request/settings'>) => put('/v3/request/settings', { body }),

  applications: () => get('/web/v1/applications').then(({ applications }) => applications),
  createApplication: (body: ApplicationFields) => post('/web/v1/applications', { body }),
  changeApplication: (id: string, body: ApplicationFields) => put('/web/v1/applications/{id}', { path: { id }, body }),
  deleteApplication: (id: string) => remove('/web/v1/applications/{id}', { path: { id } }),
  showSecret: (id: string) => post('/web/v1/applications/{id}/secret/show', { path: { id } }),
  rotateSecret: (id: string) => post('/web/v1/applications/{id}/secret', { path: { id } }),

  payments: async (filters: PaymentFilters, per_page: 10 | 25 = 25) => {
    const { page, next } = await getPage('/v3/payment', { ...filters, ...inPlatformZone, per_page })
    return { ...page, next }
  },
  views: () => get('/web/v1/views'),
  createView: (body: Body<'post', '/web/v1/views'>) => post('/web/v1/views', { body }),
  changeView: (id: string, body: Body<'put', '/web/v1/views/{id}'>) =>
    put('/web/v1/views/{id}', { path: { id }, body }),
  deleteView: (id: string) => remove('/web/v1/views/{id}', { path: { id } }),
  payment: (id: string) => get('/v3/payment/{id}', { path: { id } }),
  paymentProgress: (id: string) => get('/web/v1/payments/{id}', { path: { id } }),
  receipt: async (id: string) => (await call('get', '/v3/payment/{id}/receipt.pdf', { path: { id } })).blob(),
  timeline: (id: string) => get('/v3/payment/{id}/timeline', { path: { id } }),
  tracking: (id: string) => get('/v3/check/{id}/tracking', { path: { id } }).then(({ tracking }) => tracking),
  returnCode: (code: string) => get('/v3/return_code/{code}', { path: { code } }),
  voidPayment: (id: string) => remove('/v3/check/{id}', { path: { id } }),
  notifyPayee: (id: string) => post('/v3/check/notify/{id}', { path: { id } }),
  triggerPayment: (id: string, body: Body<'put', '/v3/check/webhook/{id}'>) =>
    put('/v3/check/webhook/{id}', { path: { id }, body }),
  attachment: async (id: string) => (await call('get', '/v3/check/{id}/attachment', { path: { id } })).blob(),
  checkCopy: async (id: string) => (await call('get', '/v3/payment/{id}/copy.pdf', { path: { id } })).blob(),
  printPayment: async (id: string) => (await call('post', '/v3/check/print/{id}', { path: { id }, body: {} })).blob(),
  depositPayment: (idempotencyKey: string, id: string, account: string) =>
    post('/v3/check/deposit/{id}', { path: { id }, body: { account }, idempotencyKey }),
  exportPayments: async (query: Omit<Query<'get', '/v3/export'>, 'time_zone'>) =>
    (await call('get', '/v3/export', { query: { ...query, ...inPlatformZone } })).blob(),
  search: (q: string) => get('/v3/search', { query: { q } }),
  attention: () => get('/v3/attention').then(({ attention }) => attention),
  balance: (user: string | undefined) => get('/v3/balance', { query: { user } }),
  formerPayees: () => get('/web/v1/former-payees').then(({ payees }) => payees),
  paymentDays: () => get('/web/v1/payment-days').then(({ from }) => from),
  summary: (user: string | undefined) => get('/v3/stats/summary', { query: { user } }),
  users: (q: string | undefined, perPage: 10 | 100 = 100) =>
    get('/v3/user/list', { query: { q, per_page: perPage } }).then(({ users }) => users),

  userPage: async (query: Omit<Query<'get', '/web/v1/users'>, 'per_page'>) => {
    const { page, next } = await getPage('/web/v1/users', { ...query, per_page: 25 })
    return { users: page.users, next }
  },
  user: (id: string) => get('/web/v1/users/{id}', { path: { id } }),
  createUser: (body: Body<'post', '/v3/user'>) => post('/v3/user', { body }),
  deleteUser: (id: string) => remove('/v3/user/{id}', { path: { id } }),
  createUserKey: (id: string, body: Body<'post', '/v3/user/{id}/api_key'>) =>
    post('/v3/user/{id}/api_key', { path: { id }, body }),
  revokeUserKey: (id: string, key: string) => remove('/v3/user/{id}/api_key/{key}', { path: { id, key } }),
  banksOf: (user: string) => get('/web/v1/banks', { query: { user } }).then(({ banks }) => banks),
  limits: (user: string | undefined) => get('/v3/limit', { query: { user } }),
  lowerLimits: (id: string, body: Body<'put', '/v3/user/{id}/limit'>) =>
    put('/v3/user/{id}/limit', { path: { id }, body }),

  profile: () => get('/v3/user'),
  storeSignature: (signature: string) => post('/v3/user/signature', { body: { signature } }),
  changeProfile: (body: ProfileFields) => put('/v3/user', { body }),
  audit: async (cursor: string | null) => {
    const { page, next } = await getPage('/v3/audit', { per_page: 25, ...(cursor !== null && { cursor }) })
    return { ...page, next }
  },

  banks: () => get('/web/v1/banks').then(({ banks }) => banks),
  nameBank: (id: string, nickname: string | null) => put('/web/v1/banks/{id}', { path: { id }, body: { nickname } }),
  addBank: (body: Body<'post', '/v3/bank'>) => post('/v3/bank', { body }),
  changeBank: (id: string, body: Body<'put', '/v3/bank/{id}'>) => put('/v3/bank/{id}', { path: { id }, body }),
  removeBank: (id: string) => remove('/v3/bank/{id}', { path: { id } }),
  releaseBank: (account: string) => post('/v3/bank/release', { body: { account } }),
  verifyBank: (body: Body<'post', '/v3/bank/verify'>) => post('/v3/bank/verify', { body }),
  institutions: () => get('/v3/bank/institutions').then(({ institutions }) => institutions),
  signInAtInstitution: (body: Body<'post', '/v3/bank/iav'>) => post('/v3/bank/iav', { body }),
  wallets: () => get('/v3/account/wallet').then(({ wallets }) => wallets),
  wallet: (id: string) => get('/v3/account/wallet/{id}', { path: { id } }),
  walletTransactions: async (id: string, cursor: string | undefined) => {
    const { page, next } = await getPage('/v3/account/wallet/{id}/transaction', { per_page: 25, cursor }, { id })
    return { ...page, next }
  },
  renameWallet: (id: string, name: string) => put('/v3/account/wallet/{id}', { path: { id }, body: { name } }),
  removeWallet: (id: string) => remove('/v3/account/wallet/{id}', { path: { id } }),
  /** The payout accounts other than banks and wallets, by their kind. `vcc`: null where no issuer of virtual cards is set up. */
  otherAccounts: async () => {
    const [{ cards }, wires, paypals, venmos, interacs, virtual] = await Promise.all([
      get('/v3/account/card'),
      get('/v3/account/wire'),
      get('/v3/account/paypal'),
      get('/v3/account/venmo'),
      get('/v3/account/interac'),
      get('/v3/account/vcc').catch(nullIfNotConfigured),
    ])
    return {
      card: cards,
      wire: wires.accounts,
      paypal: paypals.accounts,
      venmo: venmos.accounts,
      interac: interacs.accounts,
      vcc: virtual?.vccs ?? null,
    }
  },
  addCard: (body: Body<'post', '/v3/account/card'>) => post('/v3/account/card', { body }),
  addWire: (body: Body<'post', '/v3/account/wire'>) => post('/v3/account/wire', { body }),
  addPayPal: (body: Body<'post', '/v3/account/paypal'>) => post('/v3/account/paypal', { body }),
  addVenmo: (body: Body<'post', '/v3/account/venmo'>) => post('/v3/account/venmo', { body }),
  addInterac: (body: Body<'post', '/v3/account/interac'>) => post('/v3/account/interac', { body }),
  addVirtualCard: () => post('/v3/account/vcc', { body: {} }),
  removeCard: (id: string) => remove('/v3/account/card/{id}', { path: { id } }),
  removeWire: (id: string) => remove('/v3/account/wire/{id}', { path: { id } }),
  removePayPal: (id: string) => remove('/v3/account/paypal/{id}', { path: { id } }),
  removeVenmo: (id: string) => remove('/v3/account/venmo/{id}', { path: { id } }),
  removeInterac: (id: string) => remove('/v3/account/interac/{id}', { path: { id } }),
  removeVirtualCard: (id: string) => remove('/v3/account/vcc/{id}', { path: { id } }),
  addWallet: (body: Body<'post', '/v3/account/wallet'>) => post('/v3/account/wallet', { body }),
  fundWallet: (id: string, body: Body<'post', '/v3/sandbox/wallet/{id}/fund'>) =>
    post('/v3/sandbox/wallet/{id}/fund', { path: { id }, body }),

  previewCheck: (body: Body<'post', '/v3/check/preview'>) => post('/v3/check/preview', { body }),
  /** Makes one payment for each key, even if the request is repeated. */
  sendDigital: (idempotencyKey: string, body: Body<'post', '/v3/check/digital'>) =>
    post('/v3/check/digital', { body, idempotencyKey }),
  sendPhysical: (idempotencyKey: string, body: Body<'post', '/v3/check/physical'>) =>
    post('/v3/check/physical', { body, idempotencyKey }),
  sendMulti: (idempotencyKey: string, body: Body<'post', '/v3/check/multi'>) =>
    post('/v3/check/multi', { body, idempotencyKey }),

  prepareDigital: (idempotencyKey: string, body: Body<'post', '/v3/approval/digital'>) =>
    post('/v3/approval/digital', { body, idempotencyKey }),
  preparePhysical: (idempotencyKey: string, body: Body<'post', '/v3/approval/physical'>) =>
    post('/v3/approval/physical', { body, idempotencyKey }),
  prepareMulti: (idempotencyKey: string, body: Body<'post', '/v3/approval/multi'>) =>
    post('/v3/approval/multi', { body, idempotencyKey }),
  prepareInvoicePayment: (idempotencyKey: string, body: Body<'post', '/v3/approval/invoice'>) =>
    post('/v3/approval/invoice', { body, idempotencyKey }),
  approvals: () => get('/web/v1/approvals').then(({ approvals }) => approvals),
  endedApprovals: async (cursor?: string) => {
    const { page, next } = await getPage('/web/v1/approvals/ended', { cursor, per_page: 25 })
    return { approvals: page.approvals, next }
  },
  approvalCount: () => get('/web/v1/approvals/count').then(({ count }) => count),
  releaseApproval: (idempotencyKey: string, id: string, version?: string) =>
    post('/v3/approval/release', { body: { id, ...(version && { version }) }, idempotencyKey }),
  approveApproval: (idempotencyKey: string, id: string, version?: string) =>
    post('/v3/approval/{id}/approve', { path: { id }, body: { ...(version && { version }) }, idempotencyKey }),
  editApproval: (id: string, body: Body<'put', '/v3/approval/{id}'>) =>
    put('/v3/approval/{id}', { path: { id }, body }),
  rejectApproval: (id: string, reason: string) => post('/v3/approval/{id}/reject', { path: { id }, body: { reason } }),
  withdrawApproval: (id: string) => remove('/v3/approval/{id}', { path: { id } }),
  batches: async (cursor?: string) => {
    const { page, next } = await getPage('/v3/batch', { cursor })
    return { ...page, next }
  },
  batch: (id: string) => get('/v3/batch/{id}', { path: { id } }),
  batchRows: (id: string) => get('/v3/batch/{id}/row', { path: { id } }).then(({ rows }) => rows),
  batchTemplate: async () => (await call('get', '/v3/batch/template')).blob(),
  previewBatch: (body: Body<'post', '/v3/batch/preview'>) => post('/v3/batch/preview', { body }),
  createBatch: (idempotencyKey: string, body: Body<'post', '/v3/batch'>) => post('/v3/batch', { body, idempotencyKey }),
  replaceBatch: (id: string, body: Body<'post', '/v3/batch'>) => put('/v3/batch/{id}', { path: { id }, body }),
  releaseBatch: (idempotencyKey: string, id: string, version?: string) =>
    post('/v3/batch/{id}/release', { path: { id }, body: { ...(version && { version }) }, idempotencyKey }),
  approveBatch: (idempotencyKey: string, id: string, version?: string) =>
    post('/v3/batch/{id}/approve', { path: { id }, body: { ...(version && { version }) }, idempotencyKey }),
  rejectBatch: (id: string, reason: string) => post('/v3/batch/{id}/reject', { path: { id }, body: { reason } }),
  deleteBatch: (id: string) => remove('/v3/batch/{id}', { path: { id } }),
  approvalPolicy: () => get('/v3/approval/policy'),
  changeApprovalPolicy: (body: Body<'put', '/v3/approval/policy'>) => put('/v3/approval/policy', { body }),
  endPolicyProposal: (id: string) => remove('/v3/approval/policy/proposal/{id}', { path: { id } }),
  confirmApprovalPolicy: (id: string) => post('/v3/approval/policy/confirm', { body: { id } }),

  repeatPayment: (idempotencyKey: string, body: Body<'post', '/v3/subscription/check'>) =>
    post('/v3/subscription/check', { body, idempotencyKey }),
  subscriptions: async (query: { direction: 'INCOMING' | 'OUTGOING'; cursor: string | undefined }) => {
    const { page, next } = await getPage('/v3/subscription', { ...query, per_page: 25 })
    return { subscriptions: page.subscriptions, next }
  },
  subscription: (id: string) => get('/v3/subscription/{id}', { path: { id } }),
  subscriptionRuns: (id: string) => get('/v3/subscription/{id}/run', { path: { id } }),
  skipRun: (id: string, number: number, skipped: boolean) =>
    put('/v3/subscription/{id}/run', { path: { id }, body: { number, skipped } }),
  setAutopay: (id: string, autopay: boolean) => put('/v3/subscription/{id}', { path: { id }, body: { autopay } }),
  endSubscription: (id: string) => remove('/v3/subscription/{id}', { path: { id } }),

  payees: async (query: { q: string | undefined; cursor: string | undefined }) => {
    const { page, next } = await getPage('/v3/directory', { ...query, per_page: 25 })
    return { payees: page.entries, next }
  },
  payee: (id: string) => get('/v3/directory/{id}', { path: { id } }),
  savePayee: (body: Body<'post', '/v3/directory'>) => post('/v3/directory', { body }),
  changePayee: (id: string, body: Body<'put', '/v3/directory/{id}'>) =>
    put('/v3/directory/{id}', { path: { id }, body }),
  deletePayee: (id: string) => remove('/v3/directory/{id}', { path: { id } }),
  addPayeeBank: (id: string, body: Body<'post', '/v3/directory/{id}/account/bank'>) =>
    post('/v3/directory/{id}/account/bank', { path: { id }, body }),
  removePayeeAccount: (id: string, account: string) =>
    remove('/v3/directory/{id}/account/{account}', { path: { id, account } }),

  clock: () => get('/v3/sandbox/clock'),
  advanceClock: (body: Body<'put', '/v3/sandbox/clock'>) => put('/v3/sandbox/clock', { body }),

  invoices: async (query: {
    direction: 'INCOMING' | 'OUTGOING'
    status: InvoiceFilters['status']
    cursor: string | undefined
  }) => {
    const { page, next } = await getPage('/web/v1/invoices', { ...query, per_page: 25 })
    return { invoices: page.invoices, next }
  },
  invoice: (id: string) => get('/v3/invoice/{id}', { path: { id } }),
  invoiceDetails: (id: string) => get('/v3/invoice/{id}/details', { path: { id } }),
  createInvoiceLink: (id: string) => post('/web/v1/invoice/link/{id}', { path: { id } }).then(({ url }) => url),
  sendInvoice: (idempotencyKey: string, body: InvoiceBody) => post('/v3/invoice', { body, idempotencyKey }),
  payInvoice: (idempotencyKey: string, body: Body<'post', '/v3/invoice/payment'>) =>
    post('/v3/invoice/payment', { body, idempotencyKey }),
  remindInvoice: (id: string) => post('/v3/invoice/notify/{id}', { path: { id } }),
  voidInvoice: (id: string) => remove('/v3/invoice/{id}', { path: { id } }),
  invoicePdf: async (id: string) => (await call('get', `/v3/invoice/${id}/attachment`)).blob(),

  invoiceSender: (id: string) => get('/web/v1/invoice/sender/{id}', { path: { id } }),
  openInvoice: (id: string) => post('/web/v1/invoice/open/{id}', { path: { id } }),

  linkedInvoice: (token: string) => post('/web/v1/invoice/read', { body: { token } }),
  linkedInvoicePdf: async (token: string) => (await call('post', '/web/v1/invoice/pdf', { body: { token } })).blob(),
  mailPayLink: (token: string) => post('/web/v1/invoice/mail', { body: { token } }),
  payerInstitutions: (token: string) =>
    post('/web/v1/invoice/institutions', { body: { token } }).then(({ institutions }) => institutions),
  signInToPay: (body: Body<'post', '/web/v1/invoice/sign-in'>) => post('/web/v1/invoice/sign-in', { body }),
  giveAccount: (body: Body<'post', '/web/v1/invoice/account'>) => post('/web/v1/invoice/account', { body }),
  confirmAccount: (body: Body<'post', '/web/v1/invoice/verify'>) => post('/web/v1/invoice/verify', { body }),
  payLinkedInvoice: (body: Body<'post', '/web/v1/invoice/pay'>) => post('/web/v1/invoice/pay', { body }),

  linkedPayment: (token: string) => post('/web/v1/pay/read', { body: { token } }),
  tryPin: (body: Body<'post', '/web/v1/pay/pin'>) => post('/web/v1/pay/pin', { body }),
  depositLinked: async (option: DepositOption, body: OpenedLink & Record<string, string>): Promise<LinkedPayment> =>
    (await call('post', `/web/v1/pay/deposit/${option.toLowerCase()}`, { body })).json(),
  claimLinked: (body: OpenedLink) => post('/web/v1/pay/claim', { body }),
  endorseLinked: (body: Body<'post', '/web/v1/pay/endorse'>) => post('/web/v1/pay/endorse', { body }),
  linkedAttachment: async (body: OpenedLink) => (await call('post', '/web/v1/pay/attachment', { body })).blob(),
  printLinked: async (body: OpenedLink & { amount?: number }) =>
    (await call('post', '/web/v1/pay/print', { body })).blob(),
}
