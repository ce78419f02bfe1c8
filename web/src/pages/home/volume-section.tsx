import { Button, Skeleton, Text, VisuallyHidden } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useState } from 'react'
import { timeZoneWords } from '../../../../src/lib/clock.ts'
import type { Stats } from '../../answers.ts'
import { Section } from '../../layout/section.tsx'
import { dollars } from '../../shown/dollars.ts'
import { Loaded } from '../../shown/loaded.tsx'
import { dayText } from '../../shown/moment.tsx'
import { type Column, RecordsTable } from '../../shown/records-table.tsx'
import classes from './home.module.css'
import { statsQuery } from './home-queries.ts'

/** Charts are large, so they load after the page, while its numbers are asked for. */
const loadChart = () => import('./volume-chart.tsx')
const VolumeChart = lazy(loadChart)

/** What was sent on each day, as a chart and as a table, which screen readers always have. */
export function VolumeSection({ user }: { user: string | undefined }) {
  const [isTable, setTable] = useState(false)
  const stats = useQuery(statsQuery('volume', 'day', user))
  useEffect(() => void loadChart().catch(() => {}), []) // React says it if the chart cannot load
  return (
    <Section
      title="Volume by day"
      about={stats.data && `The last 30 days, by day of creation in ${timeZoneWords(stats.data.time_zone)}.`}
      action={
        stats.data !== undefined &&
        stats.data.total.count > 0 && (
          <Button variant="default" size="xs" onClick={() => setTable(!isTable)}>
            {isTable ? 'Show chart' : 'Show table'}
          </Button>
        )
      }
    >
      <Loaded query={stats} skeleton={<Skeleton height={220} radius="md" />}>
        {(data) => (
          <>
            {!data.is_complete && <Text c="dimmed">Older payments are still being counted.</Text>}
            {data.total.count === 0 ? (
              data.is_complete && <Text c="dimmed">No payments in the last 30 days.</Text>
            ) : (
              <>
                {!isTable && (
                  <div className={classes.chart} aria-hidden>
                    <Suspense fallback={<Skeleton height={220} radius="md" />}>
                      <VolumeChart points={data.points} />
                    </Suspense>
                  </div>
                )}
                {isTable ? (
                  <VolumeTable points={data.points} />
                ) : (
                  <VisuallyHidden>
                    <VolumeTable points={data.points} />
                  </VisuallyHidden>
                )}
              </>
            )}
          </>
        )}
      </Loaded>
    </Section>
  )
}

/** Days without payments are left out. */
const VolumeTable = ({ points }: { points: Stats['points'] }) => (
  <RecordsTable
    caption="Volume by day"
    columns={columns}
    rows={points
      .filter(({ count }) => count > 0)
      .map((point) => ({ ...point, id: point.key }))
      .reverse()}
    empty=""
  />
)

const columns: Column<Stats['points'][number] & { id: string }>[] = [
  { head: 'Day', cell: ({ key }) => dayText(key) },
  { head: 'Payments', isNumber: true, cell: ({ count }) => count.toLocaleString('en-US') },
  { head: 'Amount', isNumber: true, cell: ({ amount }) => dollars(amount) },
]
