import { Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import type { DecidedLine } from '../../answers.ts'
import { api } from '../../api.ts'
import { errorText } from '../../form/field-errors.ts'
import { useSending } from '../../form/use-sending.ts'
import { WorkingButton } from '../../form/working-button.tsx'
import { focusHeading } from '../../layout/page-heading.tsx'
import { signedDollars } from '../../shown/dollars.ts'
import { dayText, ShortMoment } from '../../shown/moment.tsx'
import { notify } from '../../shown/notify.ts'
import { type Column, RecordsTable } from '../../shown/records-table.tsx'
import { refreshStatements } from './statement-queries.ts'
import { actionWords, kindWords } from './statement-words.ts'
import classes from './statements.module.css'

type Props = { lines: DecidedLine[]; namesAccount: boolean; isNarrowed: boolean }

/** The lines with the latest decisions. Each decision can be undone. */
export const DecidedLines = ({ lines, namesAccount, isNarrowed }: Props) => (
  <RecordsTable
    caption="Decided lines, latest first"
    columns={columnsOf(namesAccount)}
    rows={lines}
    empty={isNarrowed ? 'No decided lines match.' : 'No person has decided about a line yet.'}
  />
)

const columnsOf = (namesAccount: boolean): Column<DecidedLine>[] => [
  {
    head: 'Line',
    onPhone: 'main',
    cell: ({ day, kind, name, text, bank_account }) => (
      <>
        <Text className={classes.words}>{[name, text].filter(Boolean).join(' · ') || kindWords(kind)}</Text>
        <Text c="dimmed" size="xs">
          {dayText(day)} · {kindWords(kind)}
          {namesAccount && ` · ${bank_account}`}
        </Text>
      </>
    ),
  },
  {
    head: 'Decision',
    onPhone: 'line',
    cell: ({ action, why, decided_at, decided_by }) => (
      <>
        {actionWords(action)} by {decided_by}, <ShortMoment utc={decided_at} />
        {why !== null && <Text size="xs">{why}</Text>}
      </>
    ),
  },
  { head: 'Amount', onPhone: 'end', isNumber: true, cell: ({ amount }) => signedDollars(amount) },
  { head: 'Undo', isAction: true, cell: (line) => <UndoButton line={line} /> },
]

function UndoButton({ line: { id, amount, day } }: { line: DecidedLine }) {
  const queryClient = useQueryClient()
  const undoing = useSending({
    mutationFn: () => api.undoLine(id),
    onSuccess: async () => {
      notify('The line waits again.')
      focusHeading() // the button disappears with its row
      await refreshStatements(queryClient)
    },
    onError: (error) => notify(errorText(error)),
  })
  return (
    <WorkingButton
      variant="default"
      size="xs"
      aria-label={`Undo ${signedDollars(amount)} of ${dayText(day)}`}
      working={undoing.isPending}
      onClick={() => undoing.mutate()}
    >
      Undo
    </WorkingButton>
  )
}
