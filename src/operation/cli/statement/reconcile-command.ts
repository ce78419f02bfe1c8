import { decimalAmount } from '../../../foundation/core/money.ts'
import type { Deps, TxDeps } from '../../../foundation/db/deps.ts'
import { inTransaction } from '../../../foundation/db/transaction.ts'
import { maskedLine } from '../../../foundation/exception/bank-case-view-rules.ts'
import { formatDateTime } from '../../../foundation/lib/clock.ts'
import { StartProblem } from '../../../foundation/lib/start-problem.ts'
import { neutralJson, plainText } from '../../../foundation/lib/text/plain-text.ts'
import { textTable } from '../../../foundation/lib/text/text-table.ts'
import {
  type GivenPart,
  getLine,
  getWaitingLines,
  ignoreLine,
  matchLines,
  matchWallet,
  splitLine,
  undoLine,
} from '../../../money/reconciliation/reconcile-actions.ts'
import { legHandlers } from '../../scheduler/leg-handlers.ts'
import type { CommandFlags } from '../command-flags.ts'
import type { DatabaseCommand } from '../on-database.ts'

/** Commands about one line or several. Each returns a message. */
const acts: Record<string, (tx: TxDeps, lineIds: readonly string[], flags: CommandFlags) => Promise<string>> = {
  show: (tx, [id = '']) => show(tx, id),
  match: async (tx, lineIds, { leg: legIds = [], wallet: walletId }) => {
    if ((legIds.length === 0) === (walletId === undefined))
      throw new StartProblem('remit reconcile match needs --leg ID or --wallet ID.')
    if (walletId !== undefined) {
      await matchWallet(tx, legHandlers, { lineIds, walletId })
      return 'The line is MATCHED.'
    }
    await matchLines(tx, legHandlers, { lineIds, legIds })
    return lineIds.length > 1 ? 'The lines are MATCHED.' : 'The line is MATCHED.'
  },
  split: async (tx, [lineId = ''], { part = [] }) => {
    if (part.length === 0) throw new StartProblem('remit reconcile split needs --part NAME=AMOUNT for each part.')
    await splitLine(tx, legHandlers, { lineId, parts: part.map(readPart) })
    return 'The line is SPLIT.'
  },
  ignore: async (tx, [lineId = ''], { why }) => {
    if (!why?.trim()) throw new StartProblem('remit reconcile ignore needs --why TEXT.')
    await ignoreLine(tx, legHandlers, { lineId, why: why.trim() })
    return 'The line is IGNORED.'
  },
  undo: async (tx, [lineId = '']) => {
    const count = await undoLine(tx, legHandlers, { lineId })
    return count > 1
      ? `${count} lines that book the same leg wait in suspense again.`
      : 'The line waits in suspense again.'
  },
}

/** Prepares `remit reconcile …`: checks the command line before a database is opened. @throws StartProblem */
export function reconcileCommand(flags: CommandFlags, [verb = 'list', ...lineIds]: readonly string[]): DatabaseCommand {
  if (verb === 'list') return (deps) => list(deps, flags)
  const act = acts[verb]
  if (!act) throw new StartProblem(`remit reconcile has no subcommand ${verb}.`)
  return (deps) => inTransaction(deps, (tx) => act(tx, lineIds, flags))
}

const PART = /^([^=]+)=(-?)(\d{1,10})(?:\.(\d{2}))?$/

/** Reads NAME=AMOUNT. Debits are negative. @throws StartProblem */
function readPart(text: string): GivenPart {
  const [, name, minus, dollars, cents = '00'] = PART.exec(text.trim()) ?? []
  const amount = Number(`${dollars}${cents}`)
  if (name === undefined || amount === 0)
    throw new StartProblem('--part must be NAME=AMOUNT, such as fees=-1.50, with a minus for a debit.')
  return { name: name.trim(), cents: minus ? -amount : amount }
}

async function list(deps: Deps, { json }: CommandFlags): Promise<string> {
  const lines = await getWaitingLines(deps)
  if (json) return neutralJson(lines.map(({ contentSealed, ...line }) => line))
  if (lines.length === 0) return 'No line of a statement waits for you.'
  return textTable([
    ['LINE', 'ACCOUNT', 'BOOKED', 'AMOUNT', 'KIND', 'CODE', 'WHY'],
    ...lines.map(({ id, connectionId, accountId, bookedOn, cents, kind, code, reason }) => [
      id,
      `${connectionId}:${accountId}`,
      bookedOn ?? '',
      decimalAmount(cents),
      kind,
      plainText(code),
      reason ?? '',
    ]),
  ])
}

async function show(tx: TxDeps, id: string): Promise<string> {
  const { content, contentSealed, postings, decisions, proposals, ...line } = await getLine(tx, id)
  const masked = (text: string) => maskedLine(plainText(text))
  const { cents, ...others } = line
  return neutralJson({
    ...others,
    amount: decimalAmount(cents),
    name: content.name && masked(content.name),
    text: masked(content.text),
    references: Object.entries(content.references).map(([kind, text]) => `${kind} ${masked(text)}`),
    booked: postings.map(({ account, legId, walletId, part, cents: own, decidedBy }) => ({
      account,
      ...(legId && { leg: legId, part }),
      ...(walletId && { wallet: walletId, part }),
      amount: decimalAmount(own),
      by: decidedBy,
    })),
    decisions: decisions.map(({ decidedAt, ...one }) => ({ at: formatDateTime(decidedAt), ...one })),
    proposals: proposals.map((leg) => ({
      leg: leg.id,
      payment: leg.paymentId,
      ...{ rail: leg.rail, direction: leg.direction, status: leg.status },
      reason: 'same amount, not booked',
      command: `remit reconcile match ${id} --leg ${leg.id}`,
    })),
  })
}
