import { Type } from 'typebox'
import { ApiError } from '../../../foundation/core/errors.ts'
import { dollarsToCents } from '../../../foundation/core/money.ts'
import type { TxDeps } from '../../../foundation/db/deps.ts'
import type { Caller } from '../../../foundation/http/caller.ts'
import { post, type Route } from '../../../foundation/http/route.ts'
import { closed, id, idParams, noFields, nothing, text } from '../../../foundation/http/schema.ts'
import { StartProblem } from '../../../foundation/lib/start-problem.ts'
import {
  type Deciding,
  getDecider,
  ignoreLine,
  matchLines,
  type ReconcileHooks,
  splitLine,
  undoLine,
} from './reconcile-actions.ts'

const Part = closed({
  name: text(1, 40, {
    description: 'The id of a leg or a wallet, or the name of an ACH file or of an account of the operator',
  }),
  amount: Type.Number({ description: 'Dollars, signed as the line' }),
})

const page = {
  access: 'session',
  permission: 'operate',
  tag: 'Operator',
  errors: ['line_not_decided'],
  params: idParams,
  answer: nothing,
} as const
const lineUrl = '/web/v1/operator/statements/lines'

/** Returns the routes for operators' decisions about statement lines, as in `remit reconcile`. */
export const reconcileRoutes = (hooks: ReconcileHooks): Route[] => [
  post(
    `${lineUrl}/:id/match`,
    {
      ...page,
      summary: 'Match a line with legs',
      body: closed({ legs: Type.Array(id, { minItems: 1, maxItems: 1_000 }) }),
    },
    (deps, { caller, params, body }) =>
      decided(deps, { caller, hooks }, (by) => matchLines(deps, by, { lineIds: [params.id], legIds: body.legs })),
  ),
  post(
    `${lineUrl}/:id/split`,
    {
      ...page,
      summary: 'Divide a line into parts',
      body: closed({ parts: Type.Array(Part, { minItems: 1, maxItems: 100 }) }),
    },
    (deps, { caller, params, body }) => {
      const parts = body.parts.map(({ name, amount }) => ({ name, cents: centsOf(amount) }))
      return decided(deps, { caller, hooks }, (by) => splitLine(deps, by, { lineId: params.id, parts }))
    },
  ),
  post(
    `${lineUrl}/:id/ignore`,
    {
      ...page,
      summary: 'Record why a line concerns nothing in the books',
      body: closed({ why: text(1, 500, { pattern: '\\S' }) }),
    },
    (deps, { caller, params, body }) =>
      decided(deps, { caller, hooks }, (by) => ignoreLine(deps, by, { lineId: params.id, why: body.why.trim() })),
  ),
  post(
    `${lineUrl}/:id/undo`,
    {
      ...page,
      summary: 'Take back a decision about a line',
      body: noFields,
    },
    (deps, { caller, params }) => decided(deps, { caller, hooks }, (by) => undoLine(deps, by, { lineId: params.id })),
  ),
]

/** Runs a decision in the name of the signed-in operator. @throws ApiError line_not_decided with the reason */
async function decided(
  deps: TxDeps,
  { caller, hooks }: { caller: Caller; hooks: ReconcileHooks },
  decide: (deciding: Deciding) => Promise<unknown>,
): Promise<object> {
  const by = await getDecider(deps, caller)
  try {
    await decide({ ...hooks, by })
  } catch (error) {
    if (error instanceof StartProblem) throw new ApiError('line_not_decided', { message: error.message })
    throw error
  }
  return {}
}

/** Converts dollars to cents. @throws ApiError line_not_decided */
function centsOf(amount: number): number {
  const cents = dollarsToCents(amount)
  if (cents !== null && cents !== 0) return cents
  throw new ApiError('line_not_decided', {
    message: 'Each part needs an amount of at most two decimals that is not 0.',
  })
}
