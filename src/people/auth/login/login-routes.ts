import { Type } from 'typebox'
import { post, put, type Route } from '../../../foundation/http/route.ts'
import { closed, email, nothing, text } from '../../../foundation/http/schema.ts'
import { beginEmailChange, changePassword, confirmEmailChange } from './login-actions.ts'
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from './password-rules.ts'

const common = { access: 'session', permission: 'self', transaction: 'none', tag: 'Login' } as const

export const loginRoutes: Route[] = [
  put(
    '/web/v1/password',
    {
      ...common,
      summary: 'Change the password',
      body: closed({
        current: text(1, MAX_PASSWORD_LENGTH),
        password: text(MIN_PASSWORD_LENGTH, MAX_PASSWORD_LENGTH),
      }),
      answer: nothing,
    },
    async (deps, { caller, body }) => changePassword(deps, caller, body),
  ),

  post(
    '/web/v1/email',
    {
      ...common,
      summary: 'Request a code to change the email address',
      body: closed({ email, password: text(1, MAX_PASSWORD_LENGTH) }),
      status: 201,
      answer: closed({ verification: Type.String() }),
    },
    async (deps, { caller, body }) => ({ verification: await beginEmailChange(deps, caller, body) }),
  ),

  post(
    '/web/v1/email/confirm',
    {
      ...common,
      summary: 'Change the email address',
      body: closed({ verification: text(1, 100), code: text(1, 40) }),
      status: 201,
      answer: nothing,
    },
    async (deps, { caller, body }) => confirmEmailChange(deps, caller, { token: body.verification, code: body.code }),
  ),
]
