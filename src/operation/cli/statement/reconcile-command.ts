import { decimalAmount } from '../../../foundation/core/money.ts'
import type { Deps, TxDeps } from '../../../foundation/db/deps.ts'
import { inTransaction } from '../../../foundation/db/transaction.ts'
import { formatDateTime } from '../../../foundation/lib/clock.ts'
import { StartProblem } from '../../../foundation/lib/start-problem.ts'
import { neutralJson } from '../../../foundation/lib/text/plain-text.ts'
import { textTable } from '../../../foundation/lib/text/text-table.ts'
import { getLine, getWaitingLines } from '../../../money/reconciliation/decision/line-view-actions.ts'
import type { LinePart, Proposal } from '../../../money/reconciliation/decision/proposal-rules.ts'
import {
  type Deciding,
  ignoreLine,
  matchLines,
  matchWallet,
  splitLine,
  undoLine,
} from '../../../money/reconciliation/decision/reconcile-actions.ts'
import { reconcileHooks } from '../../scheduler/leg-handlers.ts'
import { printNote } from '../client/list-printer.ts'
import type { CommandFlags } from '../command-flags.ts'
import type { DatabaseCommand } from '../on-database.ts'

/** The commands about one or several lines. Each returns a message. */
const acts: Record<string, (tx: TxDeps, lineIds: readonly string[], flags: CommandFlags) => Promise<string>> = {
  show: (tx, [id = '']) => show(tx, id),
  match: async (tx, lineIds, flags) => {
    const { leg: legIds = [], wallet: walletId } = flags
    if ((legIds.length === 0) === (walletId === undefined))
      throw new StartProblem('remit reconcile match needs --leg ID or --wallet ID.')
    if (walletId !== undefined) {
      await matchWallet(tx, decidingOf(flags), { lineIds, walletId })
      return 'The line is MATCHED.'
    }
    const heldCount = await matchLines(tx, decidingOf(flags), { lineIds, legIds })
    return withHeld(lineIds.length > 1 ? 'The lines are MATCHED.' : 'The line is MATCHED.', heldCount)
  },
  split: async (tx, [lineId = ''], flags) => {
    const { part = [] } = flags
    if (part.length === 0) throw new StartProblem('remit reconcile split needs --part NAME=AMOUNT for each part.')
    return withHeld('The line is SPLIT.', await splitLine(tx, decidingOf(flags), { lineId, parts: part.map(readPart) }))
  },
  ignore: async (tx, [lineId = ''], flags) => {
    const { why } = flags
    if (!why?.trim()) throw new StartProblem('remit reconcile ignore needs --why TEXT.')
    await ignoreLine(tx, decidingOf(flags), { lineId, why: why.trim() })
    return 'The line is IGNORED.'
  },
  undo: async (tx, [lineId = ''], flags) => {
    const count = await undoLine(tx, decidingOf(flags), { lineId })
    return count > 1
      ? `${count} lines that book the same leg wait in suspense again.`
      : 'The line waits in suspense again.'
  },
}

/** Adds that payments are held, because the booking contradicts the bank's answers about them. */
const withHeld = (done: string, heldCount: number): string =>
  heldCount === 0
    ? done
    : `${done} It contradicts the bank's answers, so ${heldCount === 1 ? 'its payment is' : `${heldCount} payments are`} held. See "remit exceptions list".`

const decidingOf = ({ by }: CommandFlags): Deciding => ({
  ...reconcileHooks,
  by: { name: by?.trim() || 'operator', member: null },
})

/** Prepares `remit reconcile …`: checks the command line before a database is opened. @throws StartProblem */
export function reconcileCommand(flags: CommandFlags, [verb = 'list', ...lineIds]: readonly string[]): DatabaseCommand {
  if (verb === 'list') return (deps) => list(deps, flags)
  const act = acts[verb]
  if (!act) throw new StartProblem(`remit reconcile has no subcommand ${verb}.`)
  return (deps) => inTransaction(deps, (tx) => act(tx, lineIds, flags))
}

const PART = /^([^=]+)=(-?)(\d{1,10})(?:\.(\d{2}))?$/

/** Parses NAME=AMOUNT. Debits are negative. @throws StartProblem */
function readPart(text: string): LinePart {
  const [, name, minus, dollars, cents = '00'] = PART.exec(text.trim()) ?? []
  const amount = Number(`${dollars}${cents}`)
  if (name === undefined || amount === 0)
    throw new StartProblem('--part must be NAME=AMOUNT, such as fees=-1.50, with a minus for a debit.')
  return { name: name.trim(), cents: minus ? -amount : amount }
}

async function list(deps: Deps, { json }: CommandFlags): Promise<string> {
  const { lines, hasMore } = await getWaitingLines(deps)
  const note = `More lines wait than these ${lines.length}. They are shown when these are decided.`
  if (json && hasMore) printNote(note)
  if (json) return neutralJson(lines)
  if (lines.length === 0) return 'No line of a statement waits for you.'
  const table = textTable([
    ['LINE', 'ACCOUNT', 'BOOKED', 'AMOUNT', 'KIND', 'CODE', 'WHY'],
    ...lines.map(({ id, connectionId, accountId, bookedOn, cents, kind, code, finding }) => [
      id,
      `${connectionId}:${accountId}`,
      bookedOn ?? '',
      decimalAmount(cents),
      kind,
      code,
      finding,
    ]),
  ])
  return hasMore ? `${table}\n${note}` : table
}

async function show(tx: TxDeps, id: string): Promise<string> {
  const { postings, decisions, proposals, cents, ...line } = await getLine(tx, id)
  return neutralJson({
    ...line,
    amount: decimalAmount(cents),
    booked: postings.map(({ account, legId, walletId, part, cents: own, decidedBy }) => ({
      account,
      ...(legId && { leg: legId, part }),
      ...(walletId && { wallet: walletId, part }),
      amount: decimalAmount(own),
      by: decidedBy,
    })),
    decisions: decisions.map(({ decidedAt, decidedBy, ...one }) => ({
      at: formatDateTime(decidedAt),
      by: decidedBy,
      ...one,
    })),
    proposals: proposals.map((one) => ({ why: one.why, payment: one.paymentId, command: commandOf(id, one) })),
  })
}

const commandOf = (lineId: string, { legIds, parts }: Proposal): string =>
  parts.length === 0
    ? `remit reconcile match ${lineId} ${legIds.map((legId) => `--leg ${legId}`).join(' ')}`
    : `remit reconcile split ${lineId} ${parts.map(({ name, cents }) => `--part ${name}=${decimalAmount(cents)}`).join(' ')}`
