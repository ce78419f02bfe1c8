import { NativeSelect, Stack } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { PaymentDetails, PaymentStatus } from '../../../answers.ts'
import { api } from '../../../api.ts'
import { ErrorAlert } from '../../../error-display.tsx'
import { errorText } from '../../../form/field-errors.ts'
import { useSending } from '../../../form/use-sending.ts'
import { WorkingButton } from '../../../form/working-button.tsx'
import { Section } from '../../../layout/section.tsx'
import { notify } from '../../../shown/notify.ts'
import { refreshPayments } from '../payment-queries.ts'
import { paymentStatusWords } from '../payment-words.ts'
import { reachableStatuses } from '../reachable-statuses.ts'
import classes from './sections.module.css'

const codes = [
  { value: 'R01', label: 'R01 · Insufficient funds' },
  { value: 'R02', label: 'R02 · Account closed' },
  { value: 'R03', label: 'R03 · No such account' },
] as const

/** Moves a payment of the sandbox to a status, with its money, history and webhooks. */
export function OutcomeSection({ payment: { id, status } }: { payment: PaymentDetails }) {
  const queryClient = useQueryClient()
  const reachable = reachableStatuses[status] ?? []
  const [chosen, setChosen] = useState<PaymentStatus | null>(null)
  const [code, setCode] = useState<(typeof codes)[number]['value']>('R01')
  const target = chosen !== null && reachable.includes(chosen) ? chosen : reachable[0]
  const triggering = useSending({
    mutationFn: (wanted: PaymentStatus) =>
      api.triggerPayment(id, { status: wanted, ...(wanted === 'FAILED' && { options: { return_code: code } }) }),
    onSuccess: async (_answer, wanted) => {
      await refreshPayments(queryClient)
      notify(`Payment set to “${paymentStatusWords[wanted]}”`)
    },
  })
  if (target === undefined) return null
  return (
    <Section
      title="Simulate an outcome"
      about="Sandbox only: changes the status at once, with its history and webhooks."
    >
      <Stack gap="sm">
        {triggering.error && <ErrorAlert>{errorText(triggering.error)}</ErrorAlert>}
        <div className={classes.trigger}>
          <NativeSelect
            label="Status"
            size="sm"
            value={target}
            data={reachable.map((value) => ({ value, label: paymentStatusWords[value] }))}
            onChange={({ currentTarget }) => setChosen(currentTarget.value as PaymentStatus)}
          />
          {target === 'FAILED' && (
            <NativeSelect
              label="Return code"
              size="sm"
              value={code}
              data={[...codes]}
              onChange={({ currentTarget }) => setCode(currentTarget.value as typeof code)}
            />
          )}
          <WorkingButton variant="default" working={triggering.isPending} onClick={() => triggering.mutate(target)}>
            Simulate
          </WorkingButton>
        </div>
      </Stack>
    </Section>
  )
}
