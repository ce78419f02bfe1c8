import { Anchor, Paper, Skeleton, Text } from '@mantine/core'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { count } from '../../shown/count.ts'
import { shortDollars } from '../../shown/dollars.ts'
import classes from './home.module.css'
import { balanceQuery, summaryQuery } from './home-queries.ts'

/** The payments of the last 30 days, and the current balance. */
export function Numbers({ user }: { user: string | undefined }) {
  const summary = useQuery(summaryQuery(user))
  const balance = useQuery(balanceQuery(user))
  return (
    <Paper
      component="section"
      aria-label="Key numbers"
      aria-busy={summary.isPlaceholderData || balance.isPlaceholderData}
      className={classes.numbers}
    >
      <NumberCard query={summary} label="Sent in 30 days" value={({ sent }) => shortDollars(sent.amount)}>
        {({ sent, success_rate }) => withRate(sent.count, success_rate, 'succeeded')}
      </NumberCard>
      <NumberCard query={summary} label="Waiting" value={({ waiting }) => shortDollars(waiting.amount)}>
        {({ waiting }) => count(waiting.count, 'payment', 'payments')}
      </NumberCard>
      <NumberCard query={summary} label="Failed" value={({ failed }) => shortDollars(failed.amount)}>
        {({ failed, return_rate }) => withRate(failed.count, return_rate, 'of debits returned')}
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

/** Returns "12 payments · 97.5% succeeded". The rate is omitted if no payment has ended. */
const withRate = (payments: number, rate: number | null, words: string): string =>
  [count(payments, 'payment', 'payments'), ...(rate === null ? [] : [`${percentFormat.format(rate)} ${words}`])].join(
    ' · ',
  )
