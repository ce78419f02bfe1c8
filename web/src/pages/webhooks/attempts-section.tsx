import { Text, Title } from '@mantine/core'
import { IconChevronRight } from '@tabler/icons-react'
import type { Attempt } from '../../answers.ts'
import { Section } from '../../layout/section.tsx'
import { Fact, Facts } from '../../shown/facts.tsx'
import { Moment } from '../../shown/moment.tsx'
import { ResponseBody } from './response-body.tsx'
import { OutcomeBadge } from './status-badge.tsx'
import { outcomeWords } from './webhook-words.ts'
import classes from './webhooks.module.css'

/** Every attempt, newest first. The newest one is open. */
export function AttemptsSection({ attempts }: { attempts: Attempt[] }) {
  const newestFirst = attempts.toSorted((a, b) => b.number - a.number)
  return (
    <Section title="Attempts">
      {attempts.length === 0 ? (
        <Text c="dimmed">No attempts yet.</Text>
      ) : (
        <ul className={classes.attempts}>
          {newestFirst.map((attempt, index) => (
            <li key={attempt.number}>
              <AttemptDetails attempt={attempt} isOpen={index === 0} />
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}

const AttemptDetails = ({ attempt, isOpen }: { attempt: Attempt; isOpen: boolean }) => (
  <details open={isOpen}>
    <summary className={classes.summary}>
      <IconChevronRight size={16} aria-hidden />
      <strong>Attempt {attempt.number}</strong>
      <OutcomeBadge outcome={attempt.outcome} />
      {attempt.status !== null && <span>{attempt.status}</span>}
      <span className={classes.when}>
        <Moment utc={attempt.date} isExact />
      </span>
    </summary>
    <div className={classes.opened}>
      <Text>{outcomeWords(attempt)}</Text>
      <Facts>
        <Fact label="Time">
          <Moment utc={attempt.date} isExact />
        </Fact>
        <Fact label="Duration">{attempt.duration_ms} ms</Fact>
        <Fact label="HTTP status">{attempt.status ?? 'None'}</Fact>
        {attempt.error !== null && (
          <Fact label="Error" isCode>
            {attempt.error}
          </Fact>
        )}
      </Facts>
      {attempt.request_headers !== null && (
        <div>
          <Title order={3} mb={10}>
            Request headers
          </Title>
          <Facts>
            {Object.entries(attempt.request_headers).map(([name, value]) => (
              <Fact key={name} label={name} isCode>
                {value}
              </Fact>
            ))}
          </Facts>
        </div>
      )}
      {attempt.status !== null && (
        <div>
          <Title order={3} mb={10}>
            Your server’s response
          </Title>
          <ResponseBody body={attempt.response_body} />
        </div>
      )}
    </div>
  </details>
)
