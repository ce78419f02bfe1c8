import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { Rail, Stats } from '../../answers.ts'
import { Section } from '../../layout/section.tsx'
import { dollars } from '../../shown/dollars.ts'
import { Loaded } from '../../shown/loaded.tsx'
import { SkeletonRows } from '../../shown/skeleton-rows.tsx'
import { railWords } from '../payments/payment-words.ts'
import classes from './home.module.css'
import { statsQuery } from './home-queries.ts'

/** What was sent by each method, largest first. The same answer has the success rate. */
export function MethodSection({ user }: { user: string | undefined }) {
  const stats = useQuery(statsQuery('success_rate', 'rail', user))
  if (stats.data?.total.count === 0) return null
  return (
    <Section title="Volume by method">
      <Loaded query={stats} skeleton={<SkeletonRows count={3} height={28} />}>
        {({ points }) => <Methods points={points} />}
      </Loaded>
    </Section>
  )
}

function Methods({ points }: { points: Stats['points'] }) {
  const used = points.filter(({ count }) => count > 0).sort((a, b) => b.amount - a.amount)
  const largest = used[0]?.amount ?? 0
  return (
    <ul className={classes.methods}>
      {used.map(({ key, count, amount }) => (
        <li key={key}>
          <Text>{key === '' ? 'Not chosen yet' : (railWords[key as Rail] ?? key)}</Text>
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
