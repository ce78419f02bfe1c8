import { Anchor, Button, Group, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { IconClock } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { formatDateTime, instantOf, timeZoneWords } from '../../../src/foundation/lib/clock.ts'
import type { SandboxClock } from '../answers.ts'
import { api } from '../api.ts'
import { errorText } from '../form/field-errors.ts'
import { isGiven } from '../form/form-rules.ts'
import { ServiceForm } from '../form/service-form.tsx'
import { useSending } from '../form/use-sending.ts'
import { WorkingButton } from '../form/working-button.tsx'
import { useMay } from '../permission.ts'
import { useServiceContext } from '../service-context.ts'
import { DialogButton } from '../shown/dialog-button.tsx'
import { Moment } from '../shown/moment.tsx'
import { notify } from '../shown/notify.ts'
import { clockQuery } from './clock-query.ts'
import { MagicValuesButton } from './magic-values.tsx'
import classes from './sandbox-bar.module.css'
import { useToday } from './use-today.ts'

/** The clock of the platform in the sandbox, and buttons that advance it. */
export function SandboxBar() {
  const { environment, owner } = useServiceContext()
  if (environment !== 'sandbox' || owner === null || owner.must_enroll) return null
  return <ClockBar />
}

function ClockBar() {
  const queryClient = useQueryClient()
  const { data: clock } = useQuery(clockQuery)
  const maySimulate = useMay('simulate')
  const { shows_mail } = useServiceContext()
  useRefreshAfter(clock)
  const advancing = useSending({
    mutationFn: (advance: string) => api.advanceClock({ advance }),
    onSuccess: (answer) => queryClient.setQueryData(clockQuery.queryKey, answer),
    onError: (error) => notify(errorText(error)),
  })
  if (clock === undefined) return <div className={classes.bar} data-steps={maySimulate} />
  const isBusy = advancing.isPending || clock.status === 'advancing'
  return (
    <section className={classes.bar} data-steps={maySimulate} aria-label="Sandbox clock">
      <Group gap="xs" className={classes.time}>
        <IconClock size={16} aria-hidden />
        <Text size="sm" role="status">
          Sandbox time: <Moment utc={clock.now} />
        </Text>
        {shows_mail && (
          <Anchor href="/mail" size="sm" underline="always">
            Mail
          </Anchor>
        )}
      </Group>
      {maySimulate && (
        <Group gap={6} className={classes.steps}>
          {steps.map(({ advance, label }) => (
            <WorkingButton
              key={advance}
              size="compact-xs"
              variant="default"
              working={isBusy && advancing.variables === advance}
              aria-disabled={isBusy}
              aria-label={
                advance === 'next_banking_day' ? `Advance the clock to the ${label}` : `Advance the clock by ${label}`
              }
              onClick={() => (isBusy ? undefined : advancing.mutate(advance))}
            >
              {advance === 'next_banking_day' ? 'Next banking day' : `+ ${label}`}
            </WorkingButton>
          ))}
          <DialogButton label="To a date…" title="Advance the clock to a date" size="compact-xs">
            {(close) => <DateForm onDone={close} />}
          </DialogButton>
          <MagicValuesButton />
        </Group>
      )}
    </section>
  )
}

const steps = [
  { advance: 'P1D', label: '1 day' },
  { advance: 'next_banking_day', label: 'next banking day' },
  { advance: 'P7D', label: '1 week' },
]

/** Reloads all data when the clock has arrived, because any of it may have changed. */
function useRefreshAfter(clock: SandboxClock | undefined) {
  const queryClient = useQueryClient()
  const wasAdvancing = useRef(false)
  const isAdvancing = clock?.status === 'advancing'
  useEffect(() => {
    if (wasAdvancing.current && !isAdvancing) void queryClient.invalidateQueries()
    wasAdvancing.current = isAdvancing
  }, [isAdvancing, queryClient])
}

function DateForm({ onDone }: { onDone: () => void }) {
  const queryClient = useQueryClient()
  const { time_zone } = useServiceContext()
  const today = useToday() ?? '' // the bar is shown when the clock is loaded
  const form = useForm({ initialValues: { now: today }, validate: { now: isGiven('Enter a date.') } })
  const finish = (answer: SandboxClock) => {
    queryClient.setQueryData(clockQuery.queryKey, answer)
    onDone()
  }
  return (
    <ServiceForm
      form={form}
      send={({ now }) => api.advanceClock({ now: formatDateTime(instantOf(new Date(`${now}T12:00:00Z`), time_zone)) })}
      onDone={finish}
      submit="Advance"
      aside={
        <Button variant="default" onClick={onDone}>
          Cancel
        </Button>
      }
    >
      <Text>Everything that falls due until then happens in order. The clock does not go back.</Text>
      <TextInput
        type="date"
        label="Date"
        min={today}
        description={`Noon, ${timeZoneWords(time_zone)}`}
        data-autofocus
        {...form.getInputProps('now')}
      />
    </ServiceForm>
  )
}
