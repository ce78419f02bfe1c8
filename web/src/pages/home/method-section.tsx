import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { Rail, Summary } from '../../answers.ts'
import { Section } from '../../layout/section.tsx'
import { dollars } from '../../shown/dollars.ts'
import { Loaded } from '../../shown/loaded.tsx'
import { SkeletonRows } from '../../shown/skeleton-rows.tsx'
import { railWords } from '../payments/payment-words.ts'
import classes from './home.module.css'
import { summaryQuery } from './home-queries.ts'

/** The amount sent by each method, largest first. */
export function MethodSection({ user }: { user: string | undefined }) {
  const summary = useQuery(summaryQuery(user))
  if (summary.data?.rails.length === 0) return null
  return (
    <Section title="Sent by method">
      <Loaded query={summary} skeleton={<SkeletonRows count={3} height={28} />}>
        {({ rails }) => <Methods rails={rails} />}
      </Loaded>
    </Section>
  )
}

function Methods({ rails }: { rails: Summary['rails'] }) {
  const largest = rails[0]?.amount ?? 0
  return (
    <ul className={classes.methods}>
      {rails.map(({ rail, count, amount }) => (
        <li key={rail}>
          <Text>{railWords[rail as Rail] ?? rail}</Text>
          <Text className={classes.sum}>
            {dollars(amount)}{' '}
            <Text span c="dimmed">
              ({count.toLocaleString('en-US')})
            </Text>
          </Text>
          <span className={classes.bar} aria-hidden>
            <span style={{ width: `${largest === 0 ? 0 : (100 * amount) / largest}%` }} />
          </span>
        </li>
      ))}
    </ul>
  )
}
