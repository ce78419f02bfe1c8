import { Type } from 'typebox'
import { ENVIRONMENT_NAMES, type EnvironmentLink } from '../../../foundation/core/environment.ts'
import { PERMISSIONS, ROLES } from '../../../foundation/core/permission-rules.ts'
import { isOwnHost } from '../../../foundation/http/limits/host.ts'
import { get, type Route } from '../../../foundation/http/route.ts'
import { closed, nullable, oneOf } from '../../../foundation/http/schema.ts'
import { isMailShown } from '../../../foundation/mail/mail-rules.ts'
import { findOpenSession, getSignedIn } from '../session/session-actions.ts'

const Context = closed({
  environment: oneOf(ENVIRONMENT_NAMES),
  version: Type.String(),
  environments: Type.Array(closed({ name: oneOf(ENVIRONMENT_NAMES), url: Type.String() })),
  fixed_code: nullable(Type.String()),
  shows_mail: Type.Boolean(),
  time_zone: Type.String({ description: 'The time zone of all times and days on the pages' }),
  owner: nullable(
    closed({
      id: Type.String(),
      email: Type.String(),
      name: Type.String(),
      platform: Type.String(),
      is_payee: Type.Boolean({ description: 'Whether the account shows the pages for payees' }),
      role: oneOf(ROLES),
      permissions: Type.Array(oneOf(PERMISSIONS)),
      has_two_factor: Type.Boolean(),
      must_enroll: Type.Boolean(),
      has_old_codes: Type.Boolean(),
      session_seconds: Type.Integer({ description: 'The session ends after this many seconds without use' }),
    }),
  ),
})

/** The properties of the service that pages need. http-service.ts creates it. */
export type ServiceContext = {
  version: string
  /** Returns the environments of this installation, including this one. */
  environments(): EnvironmentLink[]
}

export const contextRoutes = ({ version, environments }: ServiceContext): Route[] => [
  get(
    '/web/v1/context',
    {
      access: 'anyone',
      tag: 'Context',
      summary: 'Describe this environment and the signed-in owner',
      answer: Context,
    },
    async (deps, { request }) => {
      const session = await findOpenSession(deps, request)
      const owner = session && (await getSignedIn(deps, session.caller))
      return {
        environment: deps.settings.name,
        version,
        environments: environments(),
        fixed_code: deps.settings.fixedCode,
        shows_mail: isMailShown(deps.settings) && isOwnHost(request.host, deps.settings),
        time_zone: deps.settings.timeZone,
        owner: owner && {
          id: owner.platformId,
          email: owner.email,
          name: owner.name,
          platform: owner.platformName,
          is_payee: owner.isPayee,
          role: owner.role,
          permissions: [...session.caller.permissions],
          must_enroll: session.caller.credential.kind === 'session' && session.caller.credential.mustEnroll === true,
          has_two_factor: owner.hasTwoFactor,
          has_old_codes: owner.hasOldCodes,
          session_seconds: Math.floor((session.expiresAt.getTime() - deps.realClock.now().getTime()) / 1000),
        },
      }
    },
  ),
]
