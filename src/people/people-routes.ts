import type { Provider } from 'oidc-provider'
import type { Deps } from '../foundation/db/deps.ts'
import type { Route } from '../foundation/http/route.ts'
import type { Lines } from '../webhook/delivery/webhook-post-actions.ts'
import { loginRoutes } from './auth/login/login-routes.ts'
import { signInRoutes } from './auth/login/sign-in-routes.ts'
import { contextRoutes, type ServiceContext } from './auth/owner/context-routes.ts'
import { findCaller, getSignedIn } from './auth/session/session-actions.ts'
import { sessionRoutes } from './auth/session/session-routes.ts'
import { signUpRoutes } from './auth/sign-up/sign-up-routes.ts'
import { invitationRoutes } from './auth/team/invitation-routes.ts'
import type { MemberHooks } from './auth/team/team-actions.ts'
import { teamRoutes } from './auth/team/team-routes.ts'
import { twoFactorRoutes } from './auth/two-factor/two-factor-routes.ts'
import { applicationRoutes } from './oauth/application-routes.ts'
import { consentRoutes } from './oauth/consent-routes.ts'
import { grantRoutes } from './oauth/grant-routes.ts'
import type { ApiKeyAuthenticator } from './user/api-key/api-key-actions.ts'
import { apiKeyRoutes } from './user/api-key/api-key-routes.ts'
import { developerRoutes } from './user/api-key/developer-routes.ts'
import { limitRoutes } from './user/limit/limit-routes.ts'
import { profileRoutes } from './user/profile-routes.ts'
import { userPageRoutes } from './user/user-page-routes.ts'
import { userRoutes } from './user/user-routes.ts'
import type { UserHooks } from './user/user-types.ts'

export const peopleRoutes = (
  deps: Deps,
  own: {
    userHooks: UserHooks
    memberHooks: MemberHooks
    apiKeys: Pick<ApiKeyAuthenticator, 'forget'>
    lines: Lines
    context: ServiceContext
    baseUrl: () => string
    provider: () => Promise<Provider>
  },
): Route[] => [
  ...userRoutes(own.userHooks, own.apiKeys),
  ...limitRoutes,
  ...userPageRoutes,
  ...profileRoutes(own.userHooks),
  ...apiKeyRoutes(own.userHooks, own.apiKeys),
  ...developerRoutes(own.lines),
  ...contextRoutes(own.context),
  ...signUpRoutes,
  ...signInRoutes,
  ...sessionRoutes,
  ...loginRoutes,
  ...twoFactorRoutes,
  ...teamRoutes(own.memberHooks),
  ...invitationRoutes(own),
  ...applicationRoutes,
  ...grantRoutes,
  ...consentRoutes({ provider: own.provider, findSession: (request) => findCaller(deps, request), getSignedIn }),
]
