import { NativeSelect, SimpleGrid, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { dayText } from '../../shown/moment.tsx'
import { intervals, type SendFields } from './send-order.ts'

/** Whether the payment repeats, from when, and how often. */
export const RepeatFields = ({ form }: { form: UseFormReturnType<SendFields> }) => (
  <SimpleGrid cols={{ base: 1, sm: form.values.interval === '' ? 1 : 3 }} spacing="md">
    <NativeSelect
      label="Repeat"
      data={[
        { value: '', label: 'Send once' },
        ...Object.entries(intervals).map(([value, label]) => ({ value, label })),
      ]}
      {...form.getInputProps('interval')}
      onChange={({ currentTarget }) =>
        // A payment that repeats goes to an email: an account can change in the meantime.
        form.setValues({ interval: currentTarget.value as SendFields['interval'], payee_account: '' })
      }
    />
    {form.values.interval !== '' && (
      <>
        <TextInput label="First payment" type="date" {...form.getInputProps('start_date')} />
        <TextInput
          label="Number of payments"
          placeholder="Until you end it"
          inputMode="numeric"
          autoComplete="off"
          {...form.getInputProps('duration')}
        />
      </>
    )}
  </SimpleGrid>
)

/** "Every month from Mar 2, 2026, 12 times". */
export function repeatWords({ interval, start_date, duration }: SendFields): string {
  const often = interval === '' ? 'Once' : intervals[interval]
  const from = start_date === '' ? ', starting today' : ` from ${dayText(start_date)}`
  const times =
    duration.trim() === '' ? ', until you end it' : duration.trim() === '1' ? ', once' : `, ${duration} times`
  return `${often}${from}${times}`
}
