import { Type } from 'typebox'
import { list } from '../../foundation/http/list/list.ts'
import { del, get, post, type Route } from '../../foundation/http/route.ts'
import {
  closed,
  id,
  idParams,
  named,
  nothing,
  oneOf,
  postalAddress,
  text,
  visible,
} from '../../foundation/http/schema.ts'
import { formatDateTime } from '../../foundation/lib/clock.ts'
import { Tracking } from '../payment/accept/order-schema.ts'
import { MAIL_TYPES } from '../payment/payment-rules.ts'
import {
  cancelCheckbook,
  getCheckbook,
  getCheckbooks,
  getCheckbookTracking,
  orderCheckbook,
} from './checkbook-actions.ts'
import { checkbookSorts, MAX_CHECK_NUMBER } from './checkbook-rules.ts'
import { CHECKBOOK_STATUSES } from './checkbook-status.ts'
import type { CheckbookRow } from './checkbook-store.ts'

const tag = 'Checkbooks'

const Checkbook = named('Checkbook', { id: Type.String(), date: Type.String(), status: oneOf(CHECKBOOK_STATUSES) })

export const checkbookRoutes: Route[] = [
  post(
    '/v3/checkbook',
    {
      access: 'user',
      permission: 'accounts',
      needsStepUp: true,
      tag,
      operationId: 'orderCheckbook',
      summary: 'Order a checkbook',
      description:
        'Orders a book of 30 blank checks with consecutive numbers from `number` on, drawn on a VERIFIED bank. Your payments skip these numbers and cannot use them, and no other checkbook of the account can contain them. The order goes to the printer after an hour.',
      errors: ['bank_not_found', 'bank_not_verified', 'bank_blocked', 'check_numbers_taken', 'paper_unavailable'],
      body: closed({
        account: id,
        number: Type.Union(
          [Type.Integer({ minimum: 1, maximum: MAX_CHECK_NUMBER }), Type.String({ pattern: '^[1-9]\\d{0,8}$' })],
          { description: `the number of the first check, from 1 to ${MAX_CHECK_NUMBER}, also as a text of digits` },
        ),
        mail_type: oneOf(MAIL_TYPES),
        recipient: closed({ name: text(2, 180, visible), ...postalAddress.properties }),
      }),
      status: 201,
      answer: Checkbook,
    },
    async (deps, { caller, body }) => {
      const { name, ...address } = body.recipient
      const order = { bankId: body.account, firstNumber: Number(body.number), mailType: body.mail_type, name, address }
      return checkbookAnswer(await orderCheckbook(deps, caller, order))
    },
  ),

  list(
    '/v3/checkbook',
    {
      access: 'user',
      permission: 'read',
      tag,
      operationId: 'listCheckbooks',
      summary: 'List your checkbooks',
      description: 'Lists the user’s checkbooks, newest first. `q` searches the names of the recipients.',
    },
    {
      sorts: checkbookSorts,
      items: { checkbooks: Checkbook },
      read: (deps, { caller, filter, paging }) => getCheckbooks(deps, caller, { q: filter.q, paging }),
      show: (checkbook) => checkbookAnswer(checkbook),
    },
  ),

  get(
    '/v3/checkbook/:id',
    {
      access: 'user',
      permission: 'read',
      tag,
      operationId: 'getCheckbook',
      summary: 'Retrieve a checkbook',
      description: 'Returns one of the user’s checkbooks.',
      errors: ['checkbook_not_found'],
      params: idParams,
      answer: Checkbook,
    },
    async (deps, { caller, params }) => checkbookAnswer(await getCheckbook(deps, caller, params.id)),
  ),

  get(
    '/v3/checkbook/:id/tracking',
    {
      access: 'user',
      permission: 'read',
      tag,
      operationId: 'trackCheckbook',
      summary: 'Track a checkbook',
      description: 'Returns the tracking steps of a checkbook. It is empty until the order goes to the printer.',
      errors: ['checkbook_not_found'],
      params: idParams,
      answer: Tracking,
    },
    async (deps, { caller, params }) => {
      const steps = await getCheckbookTracking(deps, caller, params.id)
      return { tracking: steps.map(({ at, location }) => ({ action_ts: formatDateTime(at), location })) }
    },
  ),

  del(
    '/v3/checkbook/:id',
    {
      access: 'user',
      permission: 'accounts',
      tag,
      operationId: 'cancelCheckbook',
      summary: 'Cancel a checkbook',
      description: 'Cancels a checkbook while it is PENDING. Its numbers can be used again.',
      errors: ['checkbook_not_found', 'checkbook_not_cancelable'],
      params: idParams,
      answer: nothing,
    },
    async (deps, { caller, params }) => cancelCheckbook(deps, caller, params.id),
  ),
]

const checkbookAnswer = ({ id, createdAt, status }: CheckbookRow) => ({ id, date: formatDateTime(createdAt), status })
