import { useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import type { LineProposal, WaitingLine } from '../../answers.ts'
import { api } from '../../api.ts'
import { errorText } from '../../form/field-errors.ts'
import { useSending } from '../../form/use-sending.ts'
import { notify } from '../../shown/notify.ts'
import { refreshStatements, waitingQuery } from './statement-queries.ts'

/** A decision about a line. */
export type LineDecision = { line: WaitingLine } & ({ proposal: LineProposal } | { account: string } | { why: string })

function send(decision: LineDecision): Promise<unknown> {
  const { line } = decision
  if ('why' in decision) return api.ignoreLine(line.id, decision.why)
  if ('account' in decision) return api.splitLine(line.id, [{ name: decision.account, amount: line.amount }])
  const { legs, parts } = decision.proposal
  return parts.length === 0 ? api.matchLine(line.id, legs) : api.splitLine(line.id, parts)
}

/** Decides about lines, one at a time, and can undo the last decision of this visit. `onDecided` is called before the line disappears. */
export function useLineDecisions(q: string | undefined, onDecided: (lineId: string) => void) {
  const queryClient = useQueryClient()
  const decided = useRef<string[]>([])
  const decide = async (decision: LineDecision) => {
    const { line } = decision
    await send(decision)
    decided.current.push(line.id)
    onDecided(line.id)
    queryClient.setQueryData(waitingQuery(q).queryKey, (old) =>
      old === undefined ? undefined : { total: old.total - 1, lines: old.lines.filter(({ id }) => id !== line.id) },
    )
    void refreshStatements(queryClient)
  }
  const deciding = useSending({
    mutationFn: decide,
    onError: (error) => {
      notify(errorText(error))
      void refreshStatements(queryClient)
    },
  })
  const undoing = useSending({
    mutationFn: api.undoLine,
    onSuccess: async () => {
      decided.current.pop()
      notify('Decision undone')
      await refreshStatements(queryClient)
    },
    onError: (error) => notify(errorText(error)),
  })
  const undoLast = () => {
    const last = decided.current.at(-1)
    if (last === undefined) notify('You have decided nothing on this page yet. See the tab Decided.')
    else undoing.mutate(last)
  }
  const workingId = deciding.isPending ? deciding.variables.line.id : null
  return { decide: deciding.mutate, decideInForm: decide, workingId, undoLast }
}
