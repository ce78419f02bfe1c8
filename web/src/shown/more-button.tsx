import { Group, Text } from '@mantine/core'
import { WorkingButton } from '../form/working-button.tsx'
import { ShortMoment } from './moment.tsx'

type Props = {
  /** The plural of a row. */
  rows: string
  searchedTo: string | null
  hasRows: boolean
  isLoading: boolean
  onMore: () => unknown
}

/** The button that loads more rows. It says how far a search went that stopped after many rows. */
export const MoreButton = ({ rows, searchedTo, hasRows, isLoading, onMore }: Props) => (
  <Group gap="sm">
    {searchedTo !== null && (
      <Text c="dimmed">
        {hasRows ? 'No more matches' : 'No matches'} since <ShortMoment utc={searchedTo} />.
      </Text>
    )}
    <WorkingButton variant="default" working={isLoading} onClick={() => onMore()}>
      {searchedTo === null ? 'Load more' : `Search older ${rows}`}
    </WorkingButton>
  </Group>
)
