export { ApiPromise } from './core/api-promise.ts'
export type { CredentialOptions } from './core/credentials.ts'
export {
  ApiError,
  AuthenticationError,
  BadRequestError,
  ConfigurationError,
  ConflictError,
  ConnectionError,
  IdempotencyError,
  NotFoundError,
  OAuthError,
  PermissionError,
  RateLimitError,
  RemitError,
  ServerError,
  TimeoutError,
  WebhookError,
} from './core/errors.ts'
export type { Hooks, RequestEvent, ResponseEvent } from './core/hooks.ts'
export { List, Page } from './core/list.ts'
export type { Answer, CallOptions, ResponseInfo, Upload } from './core/operation.ts'
export type { ConnectionOptions } from './core/settings.ts'
export { EVENT_TYPES } from './generated/event-types.ts'
export type * from './generated/resources.ts'
export type * from './generated/types.ts'
export { OAuth, type OAuthOptions, type PendingAuthorization, type Scope, type Tokens } from './oauth.ts'
export { Remit, type RemitOptions } from './remit.ts'
export { type VerifiedWebhook, type VerifyOptions, webhooks } from './webhooks.ts'
