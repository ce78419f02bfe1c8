import { type Static, Type } from 'typebox'
import { fieldError } from '../../foundation/core/errors.ts'
import type { Deps } from '../../foundation/db/deps.ts'
import type { Caller } from '../../foundation/http/caller.ts'
import { shortList } from '../../foundation/http/list/short-list.ts'
import { post, type Route } from '../../foundation/http/route.ts'
import { id, named, nullable, oneOf, text } from '../../foundation/http/schema.ts'
import { BANK_PREFIXES } from '../bank/bank-rules.ts'
import {
  answerChallenge,
  getInstitutions,
  type IavResult,
  logInAtInstitution,
  readProcessorToken,
} from './iav-actions.ts'
import { FIELD_TYPES, type FormField, type Institution } from './institution-rules.ts'

const tag = 'Banks'

const formField = {
  name: Type.String(),
  type: oneOf(FIELD_TYPES),
  description: Type.String(),
}

const ListedInstitution = named('Institution', {
  id: Type.String(),
  name: Type.String(),
  login_form: Type.Array(named('LoginField', formField)),
})

const accounts = Type.Array(
  named('ConfirmedAccount', {
    account: Type.String({ description: 'The account number' }),
    routing: Type.String(),
    name: Type.String(),
  }),
)

const Result = named('InstitutionLogin', {
  accounts,
  mfa: Type.Optional(
    named(
      'LoginChallenge',
      {
        id: Type.String(),
        form: Type.Array(
          named('ChallengeField', {
            ...formField,
            options: Type.Array(Type.String(), { description: 'The allowed values, for a field of type OPTION' }),
          }),
        ),
      },
      { description: 'Present if the institution asks for more. Call again with `mfa_id` and the fields of `form`' },
    ),
  ),
})

/** The request of a login. Besides `id`, its fields are those of the institution's form. */
const Login = Type.Object(
  { institution_id: Type.Optional(nullable(id)), mfa_id: Type.Optional(nullable(id)) },
  {
    title: 'InstitutionLoginRequest',
    additionalProperties: text(1, 256),
    maxProperties: 20,
    description: 'An institution with the fields of its login_form, or an mfa_id with the fields of its form',
  },
)

/** Routes for confirming accounts, under both prefixes of banks (specification.md 4.3). */
export const iavRoutes: Route[] = BANK_PREFIXES.flatMap(({ prefix, noun }) => [
  shortList(
    `${prefix}/institutions`,
    {
      access: 'user',
      permission: 'read',
      tag,
      operationId: `list${noun}Institutions`,
      summary: 'List institutions',
      description:
        'Lists the institutions at which a user can confirm its accounts, with the fields of their login forms.',
      errors: ['not_configured'],
    },
    {
      sort: 'NAME',
      items: { institutions: ListedInstitution },
      answerName: 'InstitutionList',
      read: (deps) => getInstitutions(deps),
      show: (institution) => institutionAnswer(institution),
    },
  ),

  post(
    `${prefix}/iav`,
    {
      access: 'user',
      permission: 'accounts',
      tag,
      operationId: `signInAt${noun}Institution`,
      summary: 'Sign in at an institution',
      description:
        'Confirms the user’s accounts at an institution: send `institution_id` with the fields of its `login_form`. If the answer has `mfa`, send its id as `mfa_id` with the fields of its `form`, at most three times within ten minutes. A bank added from one of the accounts within an hour is VERIFIED at once. The credentials are passed on and not stored. A user can call this 20 times at once, then twice a minute.',
      errors: [
        'not_configured',
        'institution_not_found',
        'challenge_not_found',
        'institution_login_refused',
        'institution_login_locked',
        'institution_unavailable',
      ],
      body: Login,
      status: 201,
      answer: Result,
      answersSecret: true,
      ownLimit: 'institution_login',
      transaction: 'beforeAnswer',
    },
    async (deps, { caller, body }) => resultAnswer(await signInOrAnswer(deps, caller, body)),
  ),

  post(
    `${prefix}/iav/plaid`,
    {
      access: 'user',
      permission: 'accounts',
      tag,
      operationId: `readPlaid${noun}`,
      summary: 'Use a Plaid processor token',
      description:
        'Reads the account of a processor token that Plaid made. A bank added from it within an hour is VERIFIED at once.',
      errors: ['not_configured', 'invalid_processor_token', 'institution_login_locked', 'institution_unavailable'],
      body: named('ProcessorToken', {
        processor_token: text(1, 256, { pattern: '^[\\x21-\\x7e]+$', description: 'a token of Plaid' }),
      }),
      status: 201,
      answer: named('ConfirmedAccountList', { accounts }),
      answersSecret: true,
      ownLimit: 'institution_login',
      transaction: 'beforeAnswer',
    },
    async (deps, { caller, body }) => {
      const { accounts } = await readProcessorToken(deps, caller, body.processor_token)
      return { accounts }
    },
  ),
])

/** Starts a login, or answers the challenge of one. @throws ApiError invalid_request */
function signInOrAnswer(deps: Deps, caller: Caller, body: Static<typeof Login>): Promise<IavResult> {
  const {
    institution_id: institutionId = null,
    mfa_id: challengeId = null,
    ...values
  } = body as Static<typeof Login> & {
    [field: string]: string
  }
  if (institutionId !== null && challengeId !== null) {
    throw fieldError('invalid_request', 'mfa_id', 'cannot be combined with institution_id')
  }
  if (challengeId !== null) return answerChallenge(deps, caller, { challengeId, values })
  if (institutionId === null) throw fieldError('invalid_request', 'institution_id', 'is required')
  return logInAtInstitution(deps, caller, { institutionId, values })
}

const institutionAnswer = ({ id, name, loginForm }: Institution) => ({
  id,
  name,
  login_form: loginForm.map(({ name, type, description }) => ({ name, type, description })),
})

const resultAnswer = ({ accounts, challenge }: IavResult) => ({
  accounts,
  ...(challenge && { mfa: { id: challenge.id, form: challenge.form.map(fieldAnswer) } }),
})

const fieldAnswer = ({ name, type, description, options = [] }: FormField) => ({ name, type, description, options })
