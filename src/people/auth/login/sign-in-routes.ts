import { Type } from 'typebox'
import { originOf } from '../../../foundation/http/caller.ts'
import { post, type Route } from '../../../foundation/http/route.ts'
import { closed, email, nothing, text } from '../../../foundation/http/schema.ts'
import { clearSessionCookie, setSessionCookie, signOut, tokenOf } from '../session/session-actions.ts'
import { readKnownDevice, setDeviceCookie } from './device-actions.ts'
import { requestPasswordReset, resetPassword } from './password-reset-actions.ts'
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from './password-rules.ts'
import { signIn } from './sign-in-actions.ts'

const common = { access: 'anyone', transaction: 'none', tag: 'Sign-in' } as const

export const signInRoutes: Route[] = [
  post(
    '/web/v1/sign-in',
    {
      ...common,
      summary: 'Sign in',
      body: closed({
        email: text(1, 254),
        password: text(1, MAX_PASSWORD_LENGTH),
        code: Type.Optional(text(1, 40)),
      }),
      answer: closed({ second_factor: Type.Boolean() }),
    },
    async (deps, { body, request, reply }) => {
      const token = await signIn(deps, {
        email: body.email,
        password: body.password,
        code: body.code,
        origin: originOf(request),
        device: readKnownDevice(deps, request, body.email),
        previousToken: tokenOf(deps, request),
      })
      if (token !== null) {
        setSessionCookie(deps, reply, token)
        setDeviceCookie(deps, reply, body.email)
      }
      return { second_factor: token === null }
    },
  ),

  post(
    '/web/v1/sign-out',
    { access: 'anyone', tag: 'Sign-in', summary: 'Sign out', answer: nothing },
    async (deps, { request, reply }) => {
      await signOut(deps, { token: tokenOf(deps, request), origin: originOf(request) })
      clearSessionCookie(deps, reply)
    },
  ),

  post(
    '/web/v1/password/forgot',
    {
      ...common,
      summary: 'Request a code to reset the password',
      body: closed({ email }),
      status: 201,
      answer: closed({ verification: Type.String() }),
    },
    async (deps, { body, request }) => ({
      verification: await requestPasswordReset(deps, {
        email: body.email,
        origin: originOf(request),
        device: readKnownDevice(deps, request, body.email),
      }),
    }),
  ),

  post(
    '/web/v1/password/reset',
    {
      ...common,
      summary: 'Reset the password',
      body: closed({
        verification: text(1, 100),
        code: text(1, 40),
        password: text(MIN_PASSWORD_LENGTH, MAX_PASSWORD_LENGTH),
      }),
      status: 201,
      answer: nothing,
    },
    async (deps, { body, request }) => {
      const { verification: token, code, password } = body
      await resetPassword(deps, { token, code, password, origin: originOf(request) })
    },
  ),
]
