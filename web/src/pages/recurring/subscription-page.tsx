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
import { Day, dayText, Moment } from '../../shown/moment.tsx'
import { QuestionButton } from '../../shown/question-button.tsx'
import { useAccountName } from '../accounts/use-account-name.ts'
import classes from './recurring.module.css'
import { refreshSubscriptions, runsQuery, subscriptionQuery } from './recurring-queries.ts'
import { intervalWords, RunBadge, SubscriptionBadge } from './recurring-words.tsx'

/** A payment that repeats: its terms, the runs that follow, and what came of the past ones. */
export function SubscriptionPage() {
  const { id } = useParams({ from: '/signed-in/recurring/$id' })
  const subscription = useQuery(subscriptionQuery(id))
  const runs = useQuery(runsQuery(id))
  return (
    <>
      <BackLink>
        <RouterAnchor to="/recurring">Recurring</RouterAnchor>
      </BackLink>
      <Loaded query={subscription}>
        {(data) => (
          <>
            <PageHeading
              title={`${dollars(data.amount)} to ${data.name}`}
              action={runs.data?.state === 'ACTIVE' && <EndButton subscription={data} />}
            />
            <TermsSection subscription={data} />
            <Loaded query={runs}>
              {(all) => (
                <>
                  {all.next.length > 0 && <NextSection subscription={data} next={all.next} />}
                  <HistorySection runs={all.runs} />
                </>
              )}
            </Loaded>
          </>
        )}
      </Loaded>
    </>
  )
}

function EndButton({ subscription: { id, name } }: { subscription: Subscription }) {
  const queryClient = useQueryClient()
  if (!useMay('prepare')) return null
  return (
    <QuestionButton
      label="End"
      title={`End the payments to ${name}?`}
      confirm="End payments"
      onConfirm={async () => {
        await api.endSubscription(id)
        await refreshSubscriptions(queryClient)
      }}
    >
      <Text>No further payment is sent. Payments that were sent are not affected.</Text>
    </QuestionButton>
  )
}

const TermsSection = ({ subscription }: { subscription: Subscription }) => (
  <Section
    title={subscription.type === 'INVOICE' ? 'Recurring invoice' : 'Recurring payment'}
    action={<SubscriptionBadge status={subscription.status} />}
  >
    <Facts>
      <Fact label="To">{subscription.recipient}</Fact>
      <Fact label="Repeats">
        {intervalWords[subscription.interval]}
        {subscription.duration === null ? ', until you end it' : `, ${times(subscription.duration)}`}
      </Fact>
      <Fact label="First payment">
        <Day date={subscription.start_date} />
      </Fact>
      <Fact label="From">
        <AccountName id={subscription.account} />
      </Fact>
      {subscription.description !== null && <Fact label="Description">{subscription.description}</Fact>}
    </Facts>
  </Section>
)

const times = (count: number) => (count === 1 ? 'once' : `${count} times`)

const AccountName = ({ id }: { id: string | null }) => useAccountName(id) ?? 'The default bank account'

const SHOWN_AHEAD = 6

/** The payments that follow. Each can be skipped, and a skipped one sent after all. */
function NextSection({
  subscription: { id, skipped },
  next,
}: {
  subscription: Subscription
  next: SubscriptionRuns['next']
}) {
  const queryClient = useQueryClient()
  const mayPrepare = useMay('prepare')
  const { environment } = useServiceContext()
  const skipping = useSending({
    mutationFn: ({ number, skip }: { number: number; skip: boolean }) =>
      api.skipRuns(id, changedRuns(skipped, number, skip)),
    onSuccess: () => refreshSubscriptions(queryClient),
  })
  return (
    <Section
      title="Next payments"
      about={`At 16:00 UTC${environment === 'sandbox' ? ' on the sandbox’s clock' : ''}. A skipped payment counts as one of them.`}
    >
      {skipping.error && <ErrorAlert>{errorText(skipping.error)}</ErrorAlert>}
      <ol className={classes.runs}>
        {next.slice(0, SHOWN_AHEAD).map(({ number, date, skipped: isSkipped }) => (
          <li key={number} className={classes.run}>
            <span className={classes.day} data-skipped={isSkipped}>
              <Day date={date.slice(0, 10)} />
            </span>
            {isSkipped && <RunBadge outcome="SKIPPED" />}
            {mayPrepare && (
              <WorkingButton
                variant="default"
                size="xs"
                className={classes.action}
                working={skipping.isPending && skipping.variables.number === number}
                aria-label={`${isSkipped ? 'Send' : 'Skip'} the payment of ${dayText(date.slice(0, 10))}`}
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

/** All runs that are skipped, with one changed. */
const changedRuns = (skipped: number[], number: number, skip: boolean): number[] =>
  skip ? [...skipped, number] : skipped.filter((other) => other !== number)

const HistorySection = ({ runs }: { runs: SubscriptionRun[] }) => (
  <Section title="History">
    {runs.length === 0 ? (
      <Text c="dimmed">No payment was due yet.</Text>
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
          </li>
        ))}
      </ol>
    )}
  </Section>
)
