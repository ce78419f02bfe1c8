import { Anchor, Paper, Skeleton, Text } from '@mantine/core'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { count } from '../../shown/count.ts'
import { shortDollars } from '../../shown/dollars.ts'
import classes from './home.module.css'
import { balanceQuery, statsQuery } from './home-queries.ts'

/** The numbers of the last 30 days, and the balance of now. */
export function Numbers({ user }: { user: string | undefined }) {
  const volume = useQuery(statsQuery('volume', 'day', user))
  const success = useQuery(statsQuery('success_rate', 'rail', user))
  const returns = useQuery(statsQuery('return_rate', 'month', user))
  const balance = useQuery(balanceQuery(user))
  return (
    <Paper component="section" aria-label="Key numbers" className={classes.numbers}>
      <NumberCard query={volume} label="Sent in 30 days" value={({ total }) => shortDollars(total.amount)}>
        {({ total }) => count(total.count, 'payment', 'payments')}
      </NumberCard>
      <NumberCard query={success} label="Success rate" value={({ total }) => percent(total.rate)}>
        {() => 'Of payments that ended'}
      </NumberCard>
      <NumberCard query={returns} label="Return rate" value={({ total }) => percent(total.rate)}>
        {() => 'Of debits that settled'}
      </NumberCard>
      <NumberCard query={balance} label="Wallet balance" value={({ available }) => shortDollars(available)}>
        {({ held, debt }) =>
          debt > 0 ? `${shortDollars(debt)} owed` : held > 0 ? `${shortDollars(held)} more is held` : 'Available now'
        }
      </NumberCard>
    </Paper>
  )
}

type Props<Data> = {
  query: UseQueryResult<Data>
  label: string
  value: (data: Data) => string
  children: (data: Data) => ReactNode
}

function NumberCard<Data>({ query: { data, error, refetch }, label, value, children }: Props<Data>) {
  return (
    <div className={classes.number}>
      <Text c="dimmed">{label}</Text>
      {data !== undefined ? (
        <>
          <div className={classes.value}>{value(data)}</div>
          <Text c="dimmed" size="xs">
            {children(data)}
          </Text>
        </>
      ) : error ? (
        <>
          <div className={classes.value} aria-hidden>
            –
          </div>
          <Text c="dimmed" size="xs" role="alert">
            Couldn’t be loaded.{' '}
            <Anchor component="button" type="button" size="xs" onClick={() => void refetch()}>
              Try again
            </Anchor>
          </Text>
        </>
      ) : (
        <Skeleton height={48} radius="md" mt={4} />
      )}
    </div>
  )
}

const percentFormat = new Intl.NumberFormat('en-US', { style: 'percent', maximumFractionDigits: 1 })

/** Nothing to divide by is not zero. */
const percent = (rate: number | null): string => (rate === null ? '–' : percentFormat.format(rate))
