import { Button, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { SentPayment } from '../../answers.ts'
import { ErrorAlert } from '../../error-display.tsx'
import { errorText } from '../../form/field-errors.ts'
import { useSending } from '../../form/use-sending.ts'
import { WorkingButton } from '../../form/working-button.tsx'
import { Section } from '../../layout/section.tsx'
import { dollars } from '../../shown/dollars.ts'
import { Fact, Facts } from '../../shown/facts.tsx'
import { banksQuery, walletsQuery } from '../accounts/account-queries.ts'
import { nameOfBank } from '../accounts/account-words.ts'
import classes from './send.module.css'
import { isUnknown, sendOnce } from './send-once.ts'
import { mailTypes, orderOf, type SendFields } from './send-order.ts'

type Props = {
  fields: SendFields
  idempotencyKey: string
  image: string | null
  onBack: () => void
  onSent: (payment: SentPayment) => void
  /** The service has refused the payment: the next try is another payment. */
  onRefused: () => void
}

/** The second step: the payment in words and as a check, then the confirmation. */
export function ReviewStep({ fields, idempotencyKey, image, onBack, onSent, onRefused }: Props) {
  const [isUnsure, setUnsure] = useState(false)
  const order = orderOf(fields)
  const amount = dollars(order.body.amount)
  const sending = useSending({
    mutationFn: () => sendOnce(idempotencyKey, order, () => setUnsure(true)),
    onSuccess: onSent,
    onError: (error) => {
      if (isUnknown(error)) return
      setUnsure(false)
      onRefused()
    },
  })
  return (
    <Section title={`${amount} to ${order.body.name}`}>
      <Stack gap="lg">
        {sending.error && <ErrorAlert>{failureText(sending.error)}</ErrorAlert>}
        <Facts>
          <Fact label="To">{recipientText(fields)}</Fact>
          <Fact label="From">
            <AccountName id={fields.account} />
          </Fact>
          <Fact label="Amount">{amount}</Fact>
          {fields.kind === 'PHYSICAL' && (
            <Fact label="Mail">{mailTypes[fields.mail_type as keyof typeof mailTypes]}</Fact>
          )}
          {fields.description.trim() !== '' && <Fact label="Description">{fields.description}</Fact>}
        </Facts>
        {image !== null && (
          <img className={classes.check} src={`data:image/png;base64,${image}`} alt={`The check over ${amount}`} />
        )}
        <Group gap="sm">
          <WorkingButton working={sending.isPending} onClick={() => sending.mutate()}>
            {`Send ${amount}`}
          </WorkingButton>
          <Button variant="default" onClick={onBack} disabled={sending.isPending}>
            Change
          </Button>
        </Group>
        <Text role="status" c="dimmed">
          {isUnsure && sending.isPending && 'Checking whether the payment was made…'}
        </Text>
      </Stack>
    </Section>
  )
}

const failureText = (error: Error): string =>
  isUnknown(error)
    ? 'We still don’t know whether the payment was made. Press Send to ask again: it is made only once.'
    : errorText(error)

function recipientText({ kind, recipient, address }: SendFields): string {
  if (kind === 'DIGITAL') return recipient
  const { line_1, line_2, city, state, zip } = address
  return [line_1, line_2, `${city}, ${state} ${zip}`].filter((line) => line.trim() !== '').join(', ')
}

function AccountName({ id }: { id: string }) {
  const { data: banks = [] } = useQuery(banksQuery)
  const { data: wallets = [] } = useQuery(walletsQuery)
  const bank = banks.find((one) => (id === '' ? one.default : one.id === id))
  if (bank) return nameOfBank(bank)
  return wallets.find((one) => one.id === id)?.name ?? 'Wallet'
}
