import { Checkbox } from '@mantine/core'
import classes from './rows-table.module.css'

/** The selected rows. Each row has a checkbox, and the header has one for all rows. */
export type RowSelection = { selected: ReadonlySet<string>; onSelect: (ids: string[], isSelected: boolean) => void }

type Props = { label: string; ids: string[]; selection: RowSelection }

/** Selects one row or several. A dash says that some of them are selected. */
export function RowCheckbox({ label, ids, selection: { selected, onSelect } }: Props) {
  const count = ids.filter((id) => selected.has(id)).length
  const isChecked = count > 0 && count === ids.length
  return (
    <Checkbox
      aria-label={label}
      classNames={{ root: classes.checkbox, input: classes.box }}
      checked={isChecked}
      indeterminate={count > 0 && !isChecked}
      onChange={() => onSelect(ids, !isChecked)}
    />
  )
}
