import { type Static, Type } from 'typebox'
import { del, get, post, put, type Route } from '../../../foundation/http/route.ts'
import { calendarDate, closed, idParams, nothing, text, visible } from '../../../foundation/http/schema.ts'
import { paymentFilters } from '../search/payment-search-schema.ts'
import { changeView, createView, getViews, removeView } from './view-actions.ts'
import { MAX_VIEW_NAME_LENGTH, MAX_VIEWS, type View } from './view-rules.ts'

const tag = 'Views'
const name = text(1, MAX_VIEW_NAME_LENGTH, visible)

const filters = closed({
  ...paymentFilters,
  start_date: Type.Optional(calendarDate),
  end_date: Type.Optional(calendarDate),
})

const ViewAnswer = closed({ id: Type.String(), name: Type.String(), filters })

export const viewRoutes: Route[] = [
  get(
    '/web/v1/views',
    {
      access: 'session',
      permission: 'read',
      tag,
      summary: 'List your saved views of the payments',
      answer: closed({ views: Type.Array(ViewAnswer), limit: Type.Integer() }),
    },
    async (deps, { caller }) => ({ views: (await getViews(deps, caller)).map(viewAnswer), limit: MAX_VIEWS }),
  ),

  post(
    '/web/v1/views',
    {
      access: 'session',
      permission: 'read',
      tag,
      summary: 'Save a view of the payments',
      errors: ['view_limit_reached', 'view_exists'],
      body: closed({ name, filters }),
      status: 201,
      answer: ViewAnswer,
    },
    async (deps, { caller, body }) => viewAnswer(await createView(deps, caller, body)),
  ),

  put(
    '/web/v1/views/:id',
    {
      access: 'session',
      permission: 'read',
      tag,
      summary: 'Rename a view, or change its filters',
      errors: ['view_not_found', 'view_exists'],
      params: idParams,
      body: closed({ name: Type.Optional(name), filters: Type.Optional(filters) }),
      answer: ViewAnswer,
    },
    async (deps, { caller, params, body }) => viewAnswer(await changeView(deps, caller, { ...body, id: params.id })),
  ),

  del(
    '/web/v1/views/:id',
    {
      access: 'session',
      permission: 'read',
      tag,
      summary: 'Delete a view',
      errors: ['view_not_found'],
      params: idParams,
      answer: nothing,
    },
    async (deps, { caller, params }) => removeView(deps, caller, params.id),
  ),
]

const viewAnswer = ({ id, name, filters: stored }: View) => ({ id, name, filters: stored as Static<typeof filters> })
