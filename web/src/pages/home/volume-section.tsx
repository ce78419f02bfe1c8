import { Button, Skeleton, Text, VisuallyHidden } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useState } from 'react'
import { timeZoneWords } from '../../../../src/foundation/lib/clock.ts'
import type { Summary } from '../../answers.ts'
import { Section } from '../../layout/section.tsx'
import { dollars } from '../../shown/dollars.ts'
import { Loaded } from '../../shown/loaded.tsx'
import { dayText } from '../../shown/moment.tsx'
import { type Column, RecordsTable } from '../../shown/records-table.tsx'
import { chartSeries } from './chart-series.ts'
import classes from './home.module.css'
import { summaryQuery } from './home-queries.ts'

/** Loads the chart after the page, while its numbers are loading, because the script is large. */
const loadChart = () => import('./volume-chart.tsx')
const VolumeChart = lazy(loadChart)

/** The payments of each day, as a chart and as a table, which screen readers always have. */
export function VolumeSection({ user }: { user: string | undefined }) {
  const [isTable, setTable] = useState(false)
  const summary = useQuery(summaryQuery(user))
  useEffect(() => void loadChart().catch(() => {}), []) // if the chart cannot load, React reports it
  return (
    <Section
      title="Payments by day"
      about={summary.data && `The last 30 days, by day of creation in ${timeZoneWords(summary.data.time_zone)}.`}
      action={
        summary.data !== undefined &&
        !isEmpty(summary.data) && (
          <Button variant="default" size="xs" onClick={() => setTable(!isTable)}>
            {isTable ? 'Show chart' : 'Show table'}
          </Button>
        )
      }
    >
      <Loaded query={summary} skeleton={<Skeleton height={220} radius="md" />}>
        {(data) => (
          <>
            {!data.is_complete && <Text c="dimmed">Older payments are still being counted.</Text>}
            {isEmpty(data) ? (
              data.is_complete && <Text c="dimmed">No payments in the last 30 days.</Text>
            ) : (
              <>
                {!isTable && (
                  <div className={classes.chart} aria-hidden>
                    <Suspense fallback={<Skeleton height={220} radius="md" />}>
                      <VolumeChart days={data.days} />
                    </Suspense>
                    <Legend />
                  </div>
                )}
                {isTable ? (
                  <VolumeTable days={data.days} />
                ) : (
                  <VisuallyHidden>
                    <VolumeTable days={data.days} />
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

const Legend = () => (
  <ul className={classes.legend}>
    {chartSeries.map(({ name, color }) => (
      <li key={name}>
        <span style={{ background: color }} />
        {name}
      </li>
    ))}
  </ul>
)

const countOf = ({ sent, waiting, failed }: Pick<Summary, 'sent' | 'waiting' | 'failed'>): number =>
  sent.count + waiting.count + failed.count

const isEmpty = (summary: Summary): boolean => countOf(summary) === 0

/** The table of days. Days without payments are omitted. */
const VolumeTable = ({ days }: { days: Summary['days'] }) => (
  <RecordsTable
    caption="Payments by day"
    columns={columns}
    rows={days
      .filter((day) => countOf(day) > 0)
      .map((day) => ({ ...day, id: day.date }))
      .reverse()}
    empty=""
  />
)

const columns: Column<Summary['days'][number] & { id: string }>[] = [
  { head: 'Day', cell: ({ date }) => dayText(date) },
  { head: 'Payments', isNumber: true, cell: (day) => countOf(day).toLocaleString('en-US') },
  { head: 'Sent', isNumber: true, cell: ({ sent }) => dollars(sent.amount) },
  { head: 'Waiting', isNumber: true, cell: ({ waiting }) => dollars(waiting.amount) },
  { head: 'Failed', isNumber: true, cell: ({ failed }) => dollars(failed.amount) },
]
