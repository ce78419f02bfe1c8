import { Group, Stack, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import type { Subscription, SubscriptionRun, SubscriptionRuns } from '../../answers.ts'
import { api } from '../../api.ts'
import { ErrorAlert } from '../../error-display.tsx'
import { errorText } from '../../form/field-errors.ts'
import { useSending } from '../../form/use-sending.ts'
import { WorkingButton } from '../../form/working-button.tsx'
import { BackLink } from '../../layout/back-link.tsx'
import { PageHeading } from '../../layout/page-heading.tsx'
import { RouterAnchor } from '../../layout/router-anchor.tsx'
import { Section } from '../../layout/section.tsx'
import { useMay } from '../../permission.ts'
import { useServiceContext } from '../../service-context.ts'
import { dollars } from '../../shown/dollars.ts'
import { Fact, Facts } from '../../shown/facts.tsx'
import { Loaded } from '../../shown/loaded.tsx'
import { Day, dayText, Moment, useTimeText } from '../../shown/moment.tsx'
import { notify } from '../../shown/notify.ts'
import { QuestionButton } from '../../shown/question-button.tsx'
import { useAccountName } from '../accounts/use-account-name.ts'
import classes from './recurring.module.css'
import { refreshSubscriptions, runsQuery, subscriptionQuery } from './recurring-queries.ts'
import { intervalWords, RunBadge, SubscriptionBadge } from './recurring-words.tsx'

/** The page of a recurring payment or invoice: its terms, the next runs, and the outcomes of past runs. */
export function SubscriptionPage() {
  const { id } = useParams({ from: '/signed-in/recurring/$id' })
  const subscription = useQuery(subscriptionQuery(id))
  const runs = useQuery(runsQuery(id))
  const direction = runs.data?.direction === 'INCOMING' ? 'INCOMING' : undefined
  return (
    <>
      <BackLink>
        <RouterAnchor to="/recurring" search={{ direction }}>
          Recurring
        </RouterAnchor>
      </BackLink>
      {(subscription.data === undefined || runs.data === undefined) && <PageHeading title="Recurring payment" />}
      <Loaded query={subscription}>
        {(data) => <Loaded query={runs}>{(all) => <Shown subscription={data} runs={all} />}</Loaded>}
      </Loaded>
    </>
  )
}

type ShownProps = { subscription: Subscription; runs: SubscriptionRuns }

function Shown({ subscription, runs }: ShownProps) {
  const isActive = runs.state === 'ACTIVE'
  const isReceived = runs.direction === 'INCOMING'
  return (
    <>
      <PageHeading
        title={titleOf({ subscription, runs })}
        action={isActive && !isReceived && <EndButton subscription={subscription} />}
      />
      <TermsSection subscription={subscription} runs={runs} />
      {isReceived && (isActive || subscription.autopay) && <AutopaySection subscription={subscription} runs={runs} />}
      {runs.next.length > 0 && <NextSection subscription={subscription} runs={runs} />}
      <HistorySection runs={runs.runs} thing={thingOf(subscription)} />
    </>
  )
}

function titleOf({ subscription: { type, amount, name }, runs: { direction, sender } }: ShownProps): string {
  if (direction === 'INCOMING') return `${dollars(amount)} to ${sender}`
  return type === 'INVOICE' ? `${dollars(amount)} from ${name}` : `${dollars(amount)} to ${name}`
}

const thingOf = ({ type }: Subscription) => (type === 'INVOICE' ? 'invoice' : 'payment')

function EndButton({ subscription }: { subscription: Subscription }) {
  const queryClient = useQueryClient()
  if (!useMay('prepare')) return null
  const thing = thingOf(subscription)
  const things = isOnce(subscription) ? thing : `${thing}s`
  const label = `End ${things}`
  return (
    <QuestionButton
      label={label}
      title={`End the ${things} to ${subscription.name}?`}
      confirm={label}
      onConfirm={async () => {
        await api.endSubscription(subscription.id)
        await refreshSubscriptions(queryClient)
      }}
    >
      <Text>
        {isOnce(subscription)
          ? `The ${thing} is not sent.`
          : `No more ${thing}s are sent. ${thing === 'invoice' ? 'Invoices' : 'Payments'} already sent aren’t affected.`}
      </Text>
    </QuestionButton>
  )
}

const isOnce = ({ duration }: Subscription) => duration === 1

const repeatsWords = ({ interval, duration }: Subscription): string =>
  `${intervalWords[interval]}, ${duration === null ? 'until it is ended' : times(duration)}`

const TermsSection = ({ subscription, runs: { direction, sender } }: ShownProps) => (
  <Section
    title={`${isOnce(subscription) ? 'Scheduled' : 'Recurring'} ${thingOf(subscription)}`}
    action={<SubscriptionBadge {...subscription} />}
  >
    <Facts>
      {direction === 'INCOMING' ? <Fact label="From">{sender}</Fact> : <Fact label="To">{subscription.recipient}</Fact>}
      {!isOnce(subscription) && <Fact label="Repeats">{repeatsWords(subscription)}</Fact>}
      <Fact label={isOnce(subscription) ? 'Sent on' : `First ${thingOf(subscription)}`}>
        <Day date={subscription.start_date} />
      </Fact>
      {direction === 'OUTGOING' && (
        <Fact label={subscription.type === 'INVOICE' ? 'Paid into' : 'From'}>
          <AccountName id={subscription.account} />
        </Fact>
      )}
      {subscription.description !== null && <Fact label="Description">{subscription.description}</Fact>}
    </Facts>
  </Section>
)

/** Turns autopay on or off. Autopay pays each received invoice from the default bank account. */
function AutopaySection({ subscription: { id, autopay }, runs: { sender, autopay_text: text } }: ShownProps) {
  const queryClient = useQueryClient()
  const [maySend, mayPrepare] = [useMay('send'), useMay('prepare')]
  const change = async (isOn: boolean) => {
    await api.setAutopay(id, isOn)
    await refreshSubscriptions(queryClient)
    notify(isOn ? 'The invoices are paid automatically' : 'You now pay these invoices yourself')
  }
  return (
    <Section
      title="Automatic payment"
      about={
        autopay
          ? `On. Each invoice is paid from the default bank account when ${sender} sends it. If it needs an approval, it waits for one.`
          : 'Off. Each invoice waits under Invoices until somebody pays it.'
      }
      action={
        autopay
          ? mayPrepare && (
              <QuestionButton
                label="Turn off"
                title="Turn off automatic payment?"
                confirm="Turn off"
                onConfirm={() => change(false)}
              >
                <Text>You pay the next invoices yourself. Payments that were made are not affected.</Text>
              </QuestionButton>
            )
          : maySend && (
              <QuestionButton
                label="Turn on"
                title="Pay these invoices automatically?"
                confirm="I authorize this"
                color="petrol"
                onConfirm={() => change(true)}
              >
                <Text>{text}</Text>
                <Text c="dimmed">A copy is mailed to you.</Text>
              </QuestionButton>
            )
      }
    />
  )
}

const times = (count: number) => (count === 1 ? 'once' : `${count} times`)

function AccountName({ id }: { id: string | null }) {
  const name = useAccountName(id)
  return name === null ? 'The default bank account' : name
}

const SHOWN_AHEAD = 6

/** The next runs. The sender can skip each of them, and restore a skipped one. */
function NextSection({ subscription, runs: { direction, next } }: ShownProps) {
  const { id } = subscription
  const thing = thingOf(subscription)
  const queryClient = useQueryClient()
  const maySkip = useMay('prepare') && direction === 'OUTGOING'
  const { environment } = useServiceContext()
  const timeText = useTimeText()
  const skipping = useSending({
    mutationFn: ({ number, skip }: { number: number; skip: boolean }) => api.skipRun(id, number, skip),
    onSettled: () => refreshSubscriptions(queryClient),
  })
  return (
    <Section
      title={isOnce(subscription) ? `Next ${thing}` : `Next ${thing}s`}
      about={`${next[0] ? `At ${timeText(next[0].date)}` : ''}${environment === 'sandbox' ? ' on the sandbox’s clock' : ''}.${subscription.duration === null || isOnce(subscription) ? '' : ` A skipped ${thing} counts toward the total.`}`}
    >
      {skipping.error && <ErrorAlert>{errorText(skipping.error)}</ErrorAlert>}
      <ol className={classes.runs}>
        {next.slice(0, SHOWN_AHEAD).map(({ number, date, skipped: isSkipped }) => (
          <li key={number} className={classes.run}>
            <span className={classes.day} data-skipped={isSkipped}>
              <Day date={date.slice(0, 10)} />
            </span>
            {isSkipped && <RunBadge outcome="SKIPPED" />}
            {maySkip && (
              <WorkingButton
                variant="default"
                size="xs"
                className={classes.action}
                working={skipping.isPending && skipping.variables.number === number}
                aria-label={`${isSkipped ? 'Send' : 'Skip'} the ${thing} of ${dayText(date.slice(0, 10))}`}
                onClick={() => skipping.mutate({ number, skip: !isSkipped })}
              >
                {isSkipped ? 'Send after all' : 'Skip'}
              </WorkingButton>
            )}
          </li>
        ))}
      </ol>
    </Section>
  )
}

const HistorySection = ({ runs, thing }: { runs: SubscriptionRun[]; thing: string }) => (
  <Section title="History">
    {runs.length === 0 ? (
      <Text c="dimmed">No {thing} has been due yet.</Text>
    ) : (
      <ol className={classes.runs}>
        {runs.map((run) => (
          <li key={run.number} className={classes.run}>
            <Stack gap={4} className={classes.words}>
              <Group gap="sm">
                <span className={classes.day}>
                  <Moment utc={run.date} />
                </span>
                <RunBadge outcome={run.outcome} />
              </Group>
              {run.message !== null && <Text size="sm">{run.message}</Text>}
            </Stack>
            {run.payment !== null && (
              <RouterAnchor to="/payments/$id" params={{ id: run.payment }}>
                View payment
              </RouterAnchor>
            )}
            {run.invoice !== null && (
              <RouterAnchor to="/invoices/$id" params={{ id: run.invoice }}>
                View invoice
              </RouterAnchor>
            )}
          </li>
        ))}
      </ol>
    )}
  </Section>
)
