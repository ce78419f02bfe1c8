import { NativeSelect, SimpleGrid, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { dayText } from '../../shown/moment.tsx'
import { intervals, type SendFields } from './send-order.ts'

/** The fields for when the payment is made, and whether it repeats. */
export const RepeatFields = ({ form }: { form: UseFormReturnType<SendFields> }) => {
  const { interval, attachment } = form.values
  const isRepeated = interval === 'WEEKLY' || interval === 'MONTHLY'
  return (
    <SimpleGrid cols={{ base: 1, sm: interval === '' ? 1 : isRepeated ? 3 : 2 }} spacing="md">
      <NativeSelect
        label="When"
        description={
          interval !== '' && attachment ? `${attachment.filename} is sent only with a payment of now.` : undefined
        }
        data={[{ value: '', label: 'Now' }, ...Object.entries(intervals).map(([value, label]) => ({ value, label }))]}
        {...form.getInputProps('interval')}
        onChange={({ currentTarget }) =>
          // A later payment goes to an email, because the account could change until then.
          form.setValues({
            interval: currentTarget.value as SendFields['interval'],
            payee_account: '',
          })
        }
      />
      {interval !== '' && (
        <TextInput label={isRepeated ? 'First payment' : 'Send on'} type="date" {...form.getInputProps('start_date')} />
      )}
      {isRepeated && (
        <TextInput
          label="Number of payments"
          placeholder="Until you end it"
          inputMode="numeric"
          autoComplete="off"
          {...form.getInputProps('duration')}
        />
      )}
    </SimpleGrid>
  )
}

/** Returns "Every month from Mar 2, 2026, 12 times", or "On Mar 2, 2026". */
export function repeatWords({ interval, start_date, duration }: SendFields): string {
  if (interval === 'ONCE') return `On ${dayText(start_date)}`
  const often = interval === '' ? 'Once' : intervals[interval]
  const from = start_date === '' ? ', starting today' : ` from ${dayText(start_date)}`
  const times =
    duration.trim() === '' ? ', until you end it' : duration.trim() === '1' ? ', once' : `, ${duration} times`
  return `${often}${from}${times}`
}
