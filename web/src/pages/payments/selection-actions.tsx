import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { FoundPayment } from '../../answers.ts'
import { api } from '../../api.ts'
import { errorText } from '../../form/field-errors.ts'
import { useSending } from '../../form/use-sending.ts'
import { WorkingButton } from '../../form/working-button.tsx'
import { count } from '../../shown/count.ts'
import { dollars } from '../../shown/dollars.ts'
import { notify } from '../../shown/notify.ts'
import { refreshPayments } from './payment-queries.ts'
import { addAmounts, isVoidable } from './payment-selection.ts'

type Props = {
  payments: FoundPayment[]
  mayVoid: boolean
  onClear: () => void
  /** Called with the voided payments. The buttons may have disappeared with the selection. */
  onVoided: (ids: string[]) => void
}

/** The actions for the selected payments. The dialog stays open even if voided payments disappear from the list. */
export function SelectionActions({ payments, mayVoid, onClear, onVoided }: Props) {
  const [asked, setAsked] = useState<FoundPayment[] | null>(null)
  const button = useRef<HTMLButtonElement>(null)
  const end = (voided: string[]) => {
    setAsked(null)
    if (voided.length > 0) onVoided(voided)
    else button.current?.focus({ preventScroll: true })
  }
  return (
    <>
      {payments.length > 0 && (
        <Group gap="xs" wrap="nowrap">
          <Button variant="subtle" size="compact-sm" onClick={onClear} aria-label="Clear selection">
            Clear
          </Button>
          {mayVoid && (
            <Button ref={button} color="red" variant="light" size="compact-sm" onClick={() => setAsked(payments)}>
              Void
            </Button>
          )}
        </Group>
      )}
      {asked && <VoidDialog selected={asked} onEnd={end} />}
    </>
  )
}

type Refusal = { payment: FoundPayment; reason: string }
type Outcome = { voided: string[]; refusals: Refusal[] }

type DialogProps = { selected: FoundPayment[]; onEnd: (voided: string[]) => void }

/** Voids payments in sequence, with the call that the payment's page uses. Names the payments that could not be voided. */
function VoidDialog({ selected, onEnd }: DialogProps) {
  const queryClient = useQueryClient()
  const [isOpen, setOpen] = useState(true)
  const [doneCount, setDoneCount] = useState(0)
  const [{ voided, refusals }, setOutcome] = useState<Outcome>({ voided: [], refusals: [] })
  const asked = selected.filter(isVoidable)
  const askedText = count(asked.length, 'payment', 'payments')
  const voiding = useSending({
    mutationFn: async () => {
      const outcome = await voidEach(asked, setDoneCount)
      await refreshPayments(queryClient)
      setOutcome(outcome)
      if (outcome.refusals.length > 0) return
      notify(`${askedText} voided`)
      setOpen(false)
    },
  })
  const hasRefusals = refusals.length > 0
  const mayConfirm = asked.length > 0 && !hasRefusals
  return (
    <Modal
      opened={isOpen}
      onClose={() => !voiding.isPending && setOpen(false)}
      title={titleOf({ askedText, isAsked: asked.length > 0, voidedCount: hasRefusals ? voided.length : null })}
      returnFocus={false}
      onExitTransitionEnd={() => onEnd(voided)}
    >
      <Stack gap="md">
        {hasRefusals ? <Refusals refusals={refusals} /> : <Question asked={asked} selectedCount={selected.length} />}
        <Group justify="flex-end" gap="sm">
          <Text role="status" c="dimmed">
            {voiding.isPending && `${doneCount} of ${asked.length} done`}
          </Text>
          <Button variant="default" disabled={voiding.isPending} onClick={() => setOpen(false)} data-autofocus>
            {mayConfirm ? 'Cancel' : 'Close'}
          </Button>
          {mayConfirm && (
            <WorkingButton color="red" working={voiding.isPending} onClick={() => voiding.mutate()}>
              Void {askedText}
            </WorkingButton>
          )}
        </Group>
      </Stack>
    </Modal>
  )
}

type Titled = { askedText: string; isAsked: boolean; voidedCount: number | null }

function titleOf({ askedText, isAsked, voidedCount }: Titled): string {
  if (!isAsked) return 'Nothing to void'
  return voidedCount === null ? `Void ${askedText}?` : `${voidedCount} of ${askedText} voided`
}

async function voidEach(payments: FoundPayment[], onProgress: (count: number) => void): Promise<Outcome> {
  const voided: string[] = []
  const refusals: Refusal[] = []
  for (const payment of payments) {
    try {
      await api.voidPayment(payment.id)
      voided.push(payment.id)
    } catch (error) {
      refusals.push({ payment, reason: errorText(error) })
    }
    onProgress(voided.length + refusals.length)
  }
  return { voided, refusals }
}

function Question({ asked, selectedCount }: { asked: FoundPayment[]; selectedCount: number }) {
  const others = selectedCount - asked.length
  const isPaper = asked.some(({ status }) => status === 'PRINTED' || status === 'MAILED')
  return (
    <>
      {asked.length > 0 && (
        <Text>
          {asked.length === 1 ? `${asked[0]?.name} can` : 'The payees can'} no longer get these{' '}
          {dollars(addAmounts(asked))}. {isPaper && 'Checks on paper can no longer be cashed. '}You cannot undo this.
        </Text>
      )}
      {others > 0 && (
        <Text c="dimmed">
          {asked.length === 0
            ? 'None of the selected payments can be voided: each has ended or was received.'
            : `${others} of ${selectedCount} selected payments cannot be voided, and ${others === 1 ? 'stays as it is' : 'stay as they are'}.`}
        </Text>
      )}
    </>
  )
}

const Refusals = ({ refusals }: { refusals: Refusal[] }) => (
  <>
    <Text>{refusals.length === 1 ? 'This payment was not voided:' : 'These payments were not voided:'}</Text>
    <Stack component="ul" gap="sm" m={0} p={0} style={{ listStyle: 'none' }}>
      {refusals.map(({ payment, reason }) => (
        <li key={payment.id}>
          <Text fw={600}>
            {dollars(payment.amount)} to {payment.name}
          </Text>
          <Text c="dimmed">{reason}</Text>
        </li>
      ))}
    </Stack>
  </>
)
