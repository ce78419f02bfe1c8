import { Type } from 'typebox'
import { post, type Route } from '../../../foundation/http/route.ts'
import { closed, nothing, text } from '../../../foundation/http/schema.ts'
import { MAX_PASSWORD_LENGTH } from '../login/password-rules.ts'
import { beginTwoFactor, confirmTwoFactor, removeTwoFactor, replaceRecoveryCodes } from './two-factor-actions.ts'

const tag = 'Two-factor authentication'
const common = { access: 'session', permission: 'self', transaction: 'none', tag, status: 201 } as const
const password = text(1, MAX_PASSWORD_LENGTH)
const code = text(1, 40)
const RecoveryCodes = closed({ recovery_codes: Type.Array(Type.String()) })

export const twoFactorRoutes: Route[] = [
  post(
    '/web/v1/two-factor',
    {
      ...common,
      summary: 'Start two-factor setup',
      body: closed({ password }),
      answer: closed({ secret: Type.String(), uri: Type.String() }),
    },
    async (deps, { caller, body }) => {
      const { seed, uri } = await beginTwoFactor(deps, caller, body)
      return { secret: seed, uri }
    },
  ),

  post(
    '/web/v1/two-factor/confirm',
    {
      ...common,
      summary: 'Turn on two-factor authentication',
      body: closed({ code }),
      answer: RecoveryCodes,
    },
    async (deps, { caller, body }) => ({ recovery_codes: await confirmTwoFactor(deps, caller, body) }),
  ),

  post(
    '/web/v1/two-factor/recovery-codes',
    {
      ...common,
      summary: 'Replace the recovery codes',
      body: closed({ password, code }),
      answer: RecoveryCodes,
    },
    async (deps, { caller, body }) => ({ recovery_codes: await replaceRecoveryCodes(deps, caller, body) }),
  ),

  post(
    '/web/v1/two-factor/remove',
    {
      ...common,
      summary: 'Turn off two-factor authentication',
      body: closed({ password, code }),
      answer: nothing,
    },
    async (deps, { caller, body }) => removeTwoFactor(deps, caller, body),
  ),
]
