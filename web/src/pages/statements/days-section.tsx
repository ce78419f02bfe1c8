import { Badge, Button, Group, Text } from '@mantine/core'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import type { StatementAccount, StatementDay } from '../../answers.ts'
import { Section } from '../../layout/section.tsx'
import { dollars } from '../../shown/dollars.ts'
import { Loaded } from '../../shown/loaded.tsx'
import { dayText } from '../../shown/moment.tsx'
import { type Column, RecordsTable } from '../../shown/records-table.tsx'
import { SkeletonRows } from '../../shown/skeleton-rows.tsx'
import { DayEquation } from './day-equation.tsx'
import { daysQuery } from './statement-queries.ts'
import { monthWords } from './statement-words.ts'
import classes from './statements.module.css'

const route = getRouteApi('/settings/statements')

/** The days of an account in a month: the equation of one of them as a picture, and the balances of all. */
export function DaysSection({ account }: { account: StatementAccount }) {
  const { day: chosen } = route.useSearch()
  const [month, setMonth] = useState((chosen ?? account.last.day).slice(0, 7))
  const days = useQuery(daysQuery(account.bank_account, month))
  return (
    <Section title={account.bank_account} action={<MonthChoice account={account} month={month} onChange={setMonth} />}>
      <Loaded query={days} skeleton={<SkeletonRows count={4} />}>
        {(all) => (
          <div className={classes.days} aria-busy={days.isPlaceholderData}>
            <ChosenDay day={dayOf(all, chosen)} />
            <DaysTable days={all} month={month} chosen={dayOf(all, chosen)} />
          </div>
        )}
      </Loaded>
    </Section>
  )
}

const ChosenDay = ({ day }: { day: StatementDay | undefined }) => (day ? <DayEquation day={day} /> : null)

/** The day that the picture shows: the chosen one, or the last one of the month. */
const dayOf = (days: StatementDay[], chosen: string | undefined): StatementDay | undefined =>
  days.find((one) => one.day === chosen) ?? days.at(-1)

type MonthProps = { account: StatementAccount; month: string; onChange: (month: string) => void }

function MonthChoice({ account, month, onChange }: MonthProps) {
  const [first, last] = [account.first_day.slice(0, 7), account.last.day.slice(0, 7)]
  return (
    <Group gap={4} wrap="nowrap">
      <Button
        variant="default"
        size="xs"
        px={6}
        aria-label={`Show ${monthWords(neighbor(month, -1))}`}
        disabled={month <= first}
        onClick={() => onChange(neighbor(month, -1))}
      >
        <IconChevronLeft size={16} aria-hidden />
      </Button>
      <Text fw={600} miw={112} ta="center" role="status">
        {monthWords(month)}
      </Text>
      <Button
        variant="default"
        size="xs"
        px={6}
        aria-label={`Show ${monthWords(neighbor(month, 1))}`}
        disabled={month >= last}
        onClick={() => onChange(neighbor(month, 1))}
      >
        <IconChevronRight size={16} aria-hidden />
      </Button>
    </Group>
  )
}

function neighbor(month: string, step: number): string {
  const [year = 0, number = 0] = month.split('-').map(Number)
  return new Date(Date.UTC(year, number - 1 + step, 1)).toISOString().slice(0, 7)
}

type DaysProps = { days: StatementDay[]; month: string; chosen: StatementDay | undefined }

const DaysTable = ({ days, month, chosen }: DaysProps) => (
  <div className={classes.table}>
    <RecordsTable
      caption={`Days of ${monthWords(month)}, latest first`}
      columns={columns}
      rows={days.toReversed().map((one) => ({ id: one.day, isChosen: one === chosen, ...one }))}
      empty={`No statement of ${monthWords(month)} was read.`}
    />
  </div>
)

const columns: Column<StatementDay & { id: string; isChosen: boolean }>[] = [
  { head: 'Day', onPhone: 'main', cell: ({ day, isChosen }) => <DayButton day={day} isChosen={isChosen} /> },
  { head: 'Closing', onPhone: 'end', isNumber: true, cell: ({ closing }) => dollars(closing) },
  { head: 'Lines', onPhone: 'line', cell: ({ lines }) => linesWords(lines) },
  { head: 'State', onPhone: 'line', cell: (day) => <DayState day={day} /> },
]

const linesWords = (lines: number): string => (lines === 1 ? '1 line' : `${lines.toLocaleString('en-US')} lines`)

/** Shows the picture of a day. */
function DayButton({ day, isChosen }: { day: string; isChosen: boolean }) {
  const navigate = route.useNavigate()
  return (
    <button
      type="button"
      className={classes.day}
      aria-current={isChosen ? 'date' : undefined}
      onClick={() => navigate({ search: (old) => ({ ...old, day }), replace: true, resetScroll: false })}
    >
      {dayText(day)}
    </button>
  )
}

function DayState({ day }: { day: StatementDay }) {
  const { text, color } = stateOf(day)
  return (
    <Badge color={color} variant="light" radius="sm" tt="none" fw={600} miw="max-content">
      {text}
    </Badge>
  )
}

function stateOf({ waiting, matched, difference, closing, ledger }: StatementDay): { text: string; color: string } {
  if (!matched) return { text: 'Matching', color: 'petrol' }
  if (closing !== ledger) return { text: 'Ledger differs', color: 'red' }
  if (difference !== 0) return { text: `${dollars(Math.abs(difference))} unexplained`, color: 'red' }
  if (waiting > 0) return { text: `${waiting} to decide`, color: 'petrol' }
  return { text: 'Reconciled', color: 'green' }
}
