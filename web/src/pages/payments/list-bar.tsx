import { Text } from '@mantine/core'
import type { FoundPayment } from '../../answers.ts'
import { useMay } from '../../permission.ts'
import { count } from '../../shown/count.ts'
import type { RowSelection } from '../../shown/row-checkbox.tsx'
import { type Newer, NewerNotice } from './newer-payments.tsx'
import { sumText } from './payment-selection.ts'
import classes from './payments.module.css'
import { SelectionActions } from './selection-actions.tsx'

type Props = {
  rows: FoundPayment[]
  selection: RowSelection
  newer: Newer
  isLoading: boolean
  onShow: () => unknown
  /** Called when the buttons for the selection have disappeared. */
  onUnselected: () => void
}

/** Shows the number of payments, or count and sum of the selected ones, and the number of newer payments. */
export function ListBar({ rows, selection, newer, isLoading, onShow, onUnselected }: Props) {
  const mayVoid = useMay('send')
  const selected = rows.filter(({ id }) => selection.selected.has(id))
  const isSelecting = selected.length > 0
  const unselect = (ids: string[]) => {
    selection.onSelect(ids, false)
    onUnselected()
  }
  return (
    <div className={classes.count} data-empty={rows.length === 0 && newer.count === 0} data-selecting={isSelecting}>
      <Text role="status" size="sm" {...(!isSelecting && { c: 'dimmed' })}>
        {isSelecting ? sumText(selected) : `${count(rows.length, 'payment', 'payments')} shown`}
      </Text>
      <SelectionActions
        payments={selected}
        mayVoid={mayVoid}
        onClear={() => unselect([...selection.selected])}
        onVoided={unselect}
      />
      <NewerNotice newer={newer} isLoading={isLoading} onShow={onShow} />
    </div>
  )
}
