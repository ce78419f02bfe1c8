import { Type } from 'typebox'
import { centsToDollars, decimalAmount } from '../../foundation/core/money.ts'
import { list } from '../../foundation/http/list/list.ts'
import { accountList } from '../../foundation/http/list/short-list.ts'
import { del, get, post, put, type Route } from '../../foundation/http/route.ts'
import {
  amount,
  closed,
  email,
  id,
  idParams,
  named,
  nothing,
  nullable,
  oneOf,
  postalAddress,
  text,
} from '../../foundation/http/schema.ts'
import { formatDateTime } from '../../foundation/lib/clock.ts'
import { destinationName } from '../destination/destination-kind-rules.ts'
import {
  changeVirtualCard,
  deleteVirtualCard,
  getCardTransaction,
  getCardTransactions,
  getVirtualCards,
  issueVirtualCard,
  spendOnCard,
  type VirtualCard,
} from './virtual-card-actions.ts'
import { CARD_TRANSACTION_TYPES, cardTransactionSorts } from './virtual-card-rules.ts'
import type { CardTransactionRow } from './virtual-card-store.ts'

const tag = 'Virtual cards'
const changesCards = { access: 'user', permission: 'accounts', needsStepUp: true, tag } as const
const reads = { access: 'user', permission: 'read', tag } as const
const URL = '/v3/account/vcc'

const ListedCard = named('VirtualCard', {
  id: Type.String(),
  card_number: Type.String({ description: 'The last four digits' }),
  expiration_date: Type.String(),
  balance: Type.String({ description: 'Dollars with two decimals' }),
  name: nullable(Type.String()),
  default: Type.Boolean(),
  date: Type.String(),
})

const Transaction = named('VirtualCardTransaction', {
  id: Type.String(),
  type: oneOf(CARD_TRANSACTION_TYPES),
  amount: Type.Number({ description: 'Dollars. A negative amount left the card.' }),
  balance: Type.Number({ description: 'The balance of the card afterward, in dollars' }),
  status: oneOf(['POSTED']),
  description: nullable(Type.String()),
  created_ts: Type.String(),
})

export const virtualCardRoutes: Route[] = [
  accountList(
    URL,
    {
      ...reads,
      operationId: 'listVirtualCards',
      summary: 'List your virtual cards',
      description: 'Lists the user’s virtual cards with their balances.',
      errors: ['not_configured'],
    },
    {
      items: { vccs: ListedCard },
      hasNumbers: false,
      read: (deps, { caller }) => getVirtualCards(deps, caller),
      nameOf: ({ details }) => details.name ?? null,
      show: (card) => cardAnswer(card),
    },
  ),

  post(
    URL,
    {
      access: 'user',
      permission: 'accounts',
      tag,
      operationId: 'createVirtualCard',
      summary: 'Create a virtual card',
      description:
        'Issues a virtual card that can receive payments. The full number and the security code are shown only now. The first card is the default. `address`, `email` and `phone` are for the issuer and are not stored.',
      errors: ['not_configured'],
      body: closed({
        address: Type.Optional(nullable(postalAddress)),
        email: Type.Optional(nullable(email)),
        phone: Type.Optional(nullable(text(1, 40))),
      }),
      status: 201,
      answer: closed({
        id: Type.String(),
        card_number: Type.String(),
        cvv: Type.String(),
        expiration_date: Type.String(),
      }),
      answersSecret: true,
    },
    async (deps, { caller, body }) => {
      const card = await issueVirtualCard(deps, caller, { phone: body.phone ?? null })
      return { id: card.id, card_number: card.number, cvv: card.cvv, expiration_date: card.expirationDate }
    },
  ),

  put(
    `${URL}/:id`,
    {
      ...changesCards,
      operationId: 'updateVirtualCard',
      isRepeatable: true,
      summary: 'Update a virtual card',
      description: 'Renames a virtual card, or makes it the default. To remove the default, assign it to another one.',
      errors: ['not_configured', 'destination_not_found', 'not_the_holder'],
      params: idParams,
      body: closed({ default: Type.Optional(Type.Boolean()), name: Type.Optional(destinationName) }),
      answer: nothing,
    },
    async (deps, { caller, params, body }) => changeVirtualCard(deps, caller, { id: params.id, changes: body }),
  ),

  del(
    `${URL}/:id`,
    {
      ...changesCards,
      operationId: 'deleteVirtualCard',
      summary: 'Delete a virtual card',
      description: 'Deletes an empty virtual card. You cannot delete it while a payment to it is in progress.',
      errors: [
        'not_configured',
        'destination_not_found',
        'not_the_holder',
        'destination_busy',
        'card_not_empty',
        'card_overdrawn',
      ],
      params: idParams,
      answer: nothing,
    },
    async (deps, { caller, params }) => deleteVirtualCard(deps, caller, params.id),
  ),

  list(
    `${URL}/:id/transaction`,
    {
      ...reads,
      operationId: 'listVirtualCardTransactions',
      summary: 'List the transactions of a virtual card',
      description: 'Lists what was paid to a virtual card and spent with it, newest first.',
      errors: ['not_configured', 'destination_not_found', 'not_the_holder'],
      params: idParams,
    },
    {
      sorts: cardTransactionSorts,
      items: { transactions: Transaction },
      read: (deps, { caller, params, paging }) => getCardTransactions(deps, caller, { id: params.id, paging }),
      show: (transaction) => transactionAnswer(transaction),
    },
  ),

  get(
    `${URL}/:id/transaction/:transaction`,
    {
      ...reads,
      operationId: 'getVirtualCardTransaction',
      summary: 'Retrieve a transaction of a virtual card',
      description: 'Returns one transaction of a virtual card.',
      errors: ['not_configured', 'destination_not_found', 'not_the_holder', 'card_transaction_not_found'],
      params: closed({ id, transaction: id }),
      answer: Transaction,
    },
    async (deps, { caller, params }) => {
      const which = { id: params.id, transactionId: params.transaction }
      return transactionAnswer(await getCardTransaction(deps, caller, which))
    },
  ),
]

/** Routes for simulated purchases. They exist only where money is simulated. */
export const virtualCardSpendingRoutes: Route[] = [
  post(
    '/v3/sandbox/vcc/:id/spend',
    {
      access: 'user',
      permission: 'simulate',
      tag: 'Sandbox',
      operationId: 'spendVirtualCard',
      summary: 'Spend money of a virtual card',
      description: 'Simulates a purchase with a virtual card.',
      errors: ['not_configured', 'destination_not_found', 'not_the_holder', 'insufficient_funds'],
      params: idParams,
      body: closed({ amount, description: Type.Optional(nullable(text(1, 255))) }),
      status: 201,
      answer: Transaction,
    },
    async (deps, { caller, params, body }) => {
      const { amount, description = null } = body
      return transactionAnswer(await spendOnCard(deps, caller, { id: params.id, amount, description }))
    },
  ),
]

const cardAnswer = ({ id, details, balanceCents, isDefault, createdAt }: VirtualCard) => ({
  id,
  card_number: details.card_number,
  expiration_date: details.expiration_date,
  balance: balanceText(balanceCents),
  name: details.name ?? null,
  default: isDefault,
  date: formatDateTime(createdAt),
})

const balanceText = (cents: number): string => `${cents < 0 ? '-' : ''}${decimalAmount(Math.abs(cents))}`

const transactionAnswer = ({ id, type, cents, balanceCents, description, createdAt }: CardTransactionRow) => ({
  id,
  type,
  amount: centsToDollars(cents),
  balance: centsToDollars(balanceCents),
  status: 'POSTED',
  description,
  created_ts: formatDateTime(createdAt),
})
