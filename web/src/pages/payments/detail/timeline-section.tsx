import { Text, Tooltip, UnstyledButton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { PaymentDetails, TimelineEntry } from '../../../answers.ts'
import { Section } from '../../../layout/section.tsx'
import { dollars } from '../../../shown/dollars.ts'
import { Loaded } from '../../../shown/loaded.tsx'
import { Moment, parseUtc, useMomentText } from '../../../shown/moment.tsx'
import { SkeletonRows } from '../../../shown/skeleton-rows.tsx'
import { timelineQuery } from '../payment-queries.ts'
import { actorWords, entryWords } from '../payment-words.ts'
import classes from './timeline-section.module.css'

/** The history of a payment, in order. */
export function TimelineSection({ payment }: { payment: PaymentDetails }) {
  const timeline = useQuery(timelineQuery(payment))
  return (
    <Section title="Timeline">
      <Loaded query={timeline} skeleton={<SkeletonRows count={4} height={36} />}>
        {({ entries }) => (
          <ol className={classes.entries}>
            {entries.map((entry) => (
              <Entry key={entry.position} entry={entry} />
            ))}
          </ol>
        )}
      </Loaded>
    </Section>
  )
}

const Entry = ({ entry }: { entry: TimelineEntry }) => {
  const { kind, status, amount, return_code, actor } = entry
  const details = [
    actor && actorWords(actor),
    amount !== null && dollars(amount),
    return_code !== null && `Code ${return_code}`,
  ].filter(Boolean)
  return (
    <li className={classes.entry} data-kind={kind} data-status={status}>
      <div className={classes.words}>
        <Text fw={kind === 'payment' ? 600 : 450}>{entryWords(entry)}</Text>
        {details.length > 0 && (
          <Text c="dimmed" size="xs">
            {sentence(details.join(' · '))}
          </Text>
        )}
      </div>
      <div className={classes.time}>
        <Time entry={entry} />
      </div>
    </li>
  )
}

const sentence = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

const SAME_TIME_MS = 60_000

/** The time by the clock of the platform, with the real time if that clock is ahead. */
function Time({ entry: { time, real_time } }: { entry: TimelineEntry }) {
  const momentText = useMomentText()
  const isAhead = real_time !== null && Math.abs(parseUtc(time) - parseUtc(real_time)) > SAME_TIME_MS
  if (!isAhead) return <Moment utc={time} />
  return (
    <Tooltip
      label={`Real time: ${momentText(real_time)}`}
      events={{ hover: true, focus: true, touch: true }}
      portalProps={{ target: '#content' }} // within the main landmark
      withArrow
    >
      <UnstyledButton className={classes.simulated}>
        <Moment utc={time} />
      </UnstyledButton>
    </Tooltip>
  )
}
