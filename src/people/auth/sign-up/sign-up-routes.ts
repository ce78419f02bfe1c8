import { Type } from 'typebox'
import { originOf } from '../../../foundation/http/caller.ts'
import { post, type Route } from '../../../foundation/http/route.ts'
import { closed, email, nothing, text, visible } from '../../../foundation/http/schema.ts'
import { setDeviceCookie } from '../login/device-actions.ts'
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from '../login/password-rules.ts'
import { setSessionCookie, tokenOf } from '../session/session-actions.ts'
import { beginSignUp, confirmSignUp } from './sign-up-actions.ts'

const common = { access: 'anyone', transaction: 'none', tag: 'Sign-up', status: 201 } as const

export const signUpRoutes: Route[] = [
  post(
    '/web/v1/sign-up',
    {
      ...common,
      summary: 'Request a code to sign up',
      body: closed({
        email,
        password: text(MIN_PASSWORD_LENGTH, MAX_PASSWORD_LENGTH),
        name: text(2, 180, visible),
        is_payee: Type.Optional(
          Type.Boolean({ description: 'Whether the new account starts with the pages for payees' }),
        ),
      }),
      answer: closed({ verification: Type.String() }),
    },
    async (deps, { body: { is_payee: isPayee = false, ...body }, request }) => ({
      verification: await beginSignUp(deps, { ...body, isPayee, origin: originOf(request) }),
    }),
  ),

  post(
    '/web/v1/sign-up/confirm',
    {
      ...common,
      summary: 'Complete a sign-up and sign in',
      body: closed({ verification: text(1, 100), code: text(1, 40) }),
      answer: nothing,
    },
    async (deps, { body, request, reply }) => {
      const { token, email } = await confirmSignUp(deps, {
        token: body.verification,
        code: body.code,
        origin: originOf(request),
        previousToken: tokenOf(deps, request),
      })
      setSessionCookie(deps, reply, token)
      setDeviceCookie(deps, reply, email)
    },
  ),
]
