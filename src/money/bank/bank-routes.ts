import { Type } from 'typebox'
import { ApiError, attributeErrorsTo } from '../../foundation/core/errors.ts'
import { shortList } from '../../foundation/http/list/short-list.ts'
import { del, get, post, put, type Route } from '../../foundation/http/route.ts'
import {
  accountBody,
  accountNumber,
  closed,
  id,
  idParams,
  named,
  nothing,
  nullable,
  oneOf,
  routingNumber,
  text,
  visible,
} from '../../foundation/http/schema.ts'
import { formatDateTime } from '../../foundation/lib/clock.ts'
import {
  addBank,
  type Bank,
  type BankHooks,
  deleteBank,
  getBank,
  getBanksOfUser,
  nameBankForUser,
  releaseBank,
  updateBank,
  verifyBank,
} from './bank-actions.ts'
import { BANK_PREFIXES, type BankPrefix } from './bank-rules.ts'
import { BANK_STATUSES } from './bank-status.ts'

const tag = 'Banks'
const changesAccounts = { access: 'user', permission: 'accounts', needsStepUp: true, tag } as const
const reads = { access: 'user', permission: 'read', tag } as const

const TYPES = ['CHECKING', 'SAVINGS', 'BUSINESS'] as const

const NewBank = named('BankRequest', {
  routing: routingNumber,
  account: accountNumber,
  type: oneOf(TYPES),
  name: Type.Optional(nullable(text(0, 128))),
})

const bankFields = {
  id: Type.String(),
  routing: Type.String(),
  account: Type.String({ description: 'The last four digits' }),
  type: oneOf(TYPES),
  status: oneOf(BANK_STATUSES),
  billing: Type.Boolean(),
  default: Type.Boolean(),
  date: Type.String(),
  name: nullable(Type.String()),
  balance: nullable(Type.Number({ description: 'Dollars; null if the bank does not report it' })),
}

const AnsweredBank = named('Bank', bankFields)

const nickname = nullable(text(1, 60, { ...visible, format: 'name' }))

const BankChanges = named('BankChanges', {
  name: Type.Optional(nullable(text(0, 128))),
  default: Type.Optional(Type.Boolean()),
  billing: Type.Optional(Type.Boolean()),
})

const Amounts = named('MicroDepositAmounts', {
  amount_1: Type.Number({ minimum: 0 }),
  amount_2: Type.Number({ minimum: 0 }),
  account: Type.Optional(nullable(id)),
})

/** Returns the routes for banks, under both prefixes (specification.md 4.3), and the routes of the pages. */
export const bankRoutes = (hooks: BankHooks): Route[] => [
  ...BANK_PREFIXES.flatMap((under) => [
    ...bankRoutesUnder(under),
    ...changeRoutesUnder(under, hooks),
    ...verificationRoutesUnder(under),
  ]),
  ...pageRoutes,
]

/** Routes that only the pages use. Nicknames are not part of the API. */
const pageRoutes: Route[] = [
  get(
    '/web/v1/banks',
    {
      access: 'session',
      permission: 'read',
      tag,
      summary: 'List banks with their nicknames',
      errors: ['user_not_found'],
      query: closed({ user: Type.Optional(id) }),
      answer: closed({ banks: Type.Array(closed({ ...bankFields, nickname: nullable(Type.String()) })) }),
    },
    async (deps, { caller, query }) => {
      const rows = await getBanksOfUser(deps, caller, query.user)
      return { banks: rows.map((bank) => ({ ...bankAnswer(bank), nickname: bank.nickname })) }
    },
  ),

  put(
    '/web/v1/banks/:id',
    {
      access: 'session',
      permission: 'accounts',
      tag,
      summary: 'Give a bank a nickname',
      errors: ['bank_not_found', 'not_the_holder'],
      params: idParams,
      body: closed({ nickname }),
      answer: nothing,
    },
    async (deps, { caller, params, body }) => nameBankForUser(deps, caller, params.id, body.nickname?.trim() ?? null),
  ),
]

const bankRoutesUnder = ({ prefix, noun }: BankPrefix): Route[] => [
  post(
    prefix,
    {
      ...changesAccounts,
      operationId: `add${noun}`,
      summary: 'Add a bank',
      description:
        'Adds a bank account. It starts as DEPOSIT_ONLY: it can receive money, and can send money once it is VERIFIED. An account that `POST /v3/bank/iav` confirmed within the last hour is VERIFIED at once. A user’s first bank is the default and billing bank.',
      errors: ['bank_exists'],
      body: NewBank,
      status: 201,
      answer: AnsweredBank,
    },
    async (deps, { caller, body }) => bankAnswer(await addBank(deps, caller, { ...body, name: body.name ?? null })),
  ),

  shortList(
    prefix,
    {
      ...reads,
      operationId: `list${noun}s`,
      summary: 'List your banks',
      description:
        'Lists the user’s bank accounts. With `user`, an owner lists those of a user of its platform. Account numbers show only their last four digits.',
      errors: ['user_not_found'],
    },
    {
      sort: 'DATE',
      filters: { user: Type.Optional(id) },
      items: { banks: AnsweredBank },
      answerName: 'BankList',
      read: (deps, { caller, query }) => getBanksOfUser(deps, caller, query.user),
      show: (bank) => bankAnswer(bank),
    },
  ),

  get(
    `${prefix}/:id`,
    {
      ...reads,
      operationId: `get${noun}`,
      summary: 'Retrieve a bank',
      description: 'Returns one of the user’s bank accounts. An owner’s key can retrieve every bank of its platform.',
      errors: ['bank_not_found'],
      params: idParams,
      answer: AnsweredBank,
    },
    async (deps, { caller, params }) => bankAnswer(await getBank(deps, caller, params.id)),
  ),
]

const changeRoutesUnder = ({ prefix, noun }: BankPrefix, hooks: BankHooks): Route[] => [
  put(
    `${prefix}/:id`,
    {
      ...changesAccounts,
      operationId: `update${noun}`,
      isRepeatable: true,
      summary: 'Update a bank',
      description:
        'Renames a bank, or makes it the default or billing bank. To remove either role from a bank, assign it to another bank.',
      errors: ['bank_not_found', 'not_the_holder'],
      params: idParams,
      body: BankChanges,
      answer: nothing,
    },
    async (deps, { caller, params, body }) => updateBank(deps, caller, params.id, body),
  ),

  del(
    `${prefix}/:id`,
    {
      ...changesAccounts,
      operationId: `delete${noun}`,
      summary: 'Delete a bank',
      description:
        'Deletes a bank. You cannot delete a bank while a payment to or from it is in progress. The oldest remaining bank becomes the default and billing bank.',
      errors: ['bank_not_found', 'not_the_holder', 'bank_busy'],
      params: idParams,
      answer: nothing,
    },
    async (deps, { caller, params }) => deleteBank(deps, caller, params.id, hooks),
  ),
]

const verificationRoutesUnder = ({ prefix, noun }: BankPrefix): Route[] => [
  post(
    `${prefix}/release`,
    {
      ...changesAccounts,
      operationId: `release${noun}`,
      summary: 'Release micro-deposits',
      description:
        'Sends two micro-deposits to the bank account and makes the bank PENDING. They arrive on the next banking day. In the sandbox the amounts are always 0.07 and 0.15, and you can verify them immediately. Each bank allows at most 3 releases in 30 days.',
      errors: ['bank_not_found', 'not_the_holder', 'bank_blocked', 'bank_not_deposit_only', 'release_limit_reached'],
      body: accountBody,
      status: 201,
      answer: nothing,
    },
    async (deps, { caller, body }) => attributeErrorsTo('account', releaseBank(deps, caller, body.account)),
  ),

  post(
    `${prefix}/verify`,
    {
      ...changesAccounts,
      operationId: `verify${noun}`,
      summary: 'Verify a bank',
      description:
        'Verifies a bank with the amounts of its two micro-deposits, in either order. After the third wrong pair the bank is DEPOSIT_ONLY again. If you omit `account`, the only PENDING bank is verified.',
      errors: [
        'bank_not_found',
        'not_the_holder',
        'bank_blocked',
        'bank_not_pending',
        'no_pending_bank',
        'several_pending_banks',
        'amounts_do_not_match',
      ],
      body: Amounts,
      answer: nothing,
    },
    async (deps, { caller, body }) => {
      const given = { bankId: body.account ?? null, amount1: body.amount_1, amount2: body.amount_2 }
      const outcome = await attributeErrorsTo('account', verifyBank(deps, caller, given))
      return outcome.isVerified ? {} : amountsDoNotMatch(outcome.triesLeft)
    },
  ),
]

const AMOUNT_PROBLEM = 'or the other amount does not match the micro-deposits'

function amountsDoNotMatch(triesLeft: number): ApiError {
  const consequence =
    triesLeft > 0
      ? `Check the bank statement. You have ${triesLeft} ${triesLeft === 1 ? 'attempt' : 'attempts'} left.`
      : 'You have no attempts left, and the bank is DEPOSIT_ONLY again. Release new micro-deposits.'
  return new ApiError('amounts_do_not_match', {
    message: `The amounts do not match the micro-deposits. ${consequence}`,
    fields: { amount_1: [AMOUNT_PROBLEM], amount_2: [AMOUNT_PROBLEM] },
  })
}

const bankAnswer = (bank: Bank) => ({
  id: bank.id,
  routing: bank.routing,
  account: bank.accountLast4,
  type: bank.type,
  status: bank.status,
  billing: bank.isBilling,
  default: bank.isDefault,
  date: formatDateTime(bank.createdAt),
  name: bank.name,
  balance: null,
})
