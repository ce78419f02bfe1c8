import { Button, Group, Text } from '@mantine/core'
import { IconPrinter } from '@tabler/icons-react'
import type { LinkedPayment } from '../../answers.ts'
import { dollars } from '../../shown/dollars.ts'
import { Fact, Facts } from '../../shown/facts.tsx'
import { Day, Moment } from '../../shown/moment.tsx'
import classes from './recipient-page.module.css'

/** The history and the destination of a payment, printable as a receipt. */
export function PaymentRecord({ payment }: { payment: LinkedPayment }) {
  const { sender, name, number, date, deposited, changed, destination, status, rail } = payment
  const last = lastStep[status]?.(payment)
  return (
    <section aria-label="Details" className={classes.record}>
      <Facts>
        <Fact label="From">{sender}</Fact>
        <Fact label="To">{name}</Fact>
        {rail !== null && <Fact label="Paid by">{railWords[rail] ?? rail}</Fact>}
        {destination !== null && <Fact label="Account">{destination}</Fact>}
        <Fact label="Number">{number}</Fact>
        <Fact label="Sent">
          <Moment utc={date} />
        </Fact>
        {deposited !== null && (
          <Fact label="Accepted">
            <Moment utc={deposited} />
          </Fact>
        )}
        {last && (
          <Fact label={last}>
            <Moment utc={changed} />
          </Fact>
        )}
      </Facts>
      {hasReceipt.includes(status) && (
        <Group mt="md" className={classes.unprinted}>
          <Button variant="default" leftSection={<IconPrinter size={16} aria-hidden />} onClick={() => window.print()}>
            Print receipt
          </Button>
        </Group>
      )}
    </section>
  )
}

/** The invoices that the payment pays. */
export const RemittanceLines = ({ lines }: { lines: string[][] }) => (
  <ul aria-label="Invoices" className={classes.lines}>
    {lines.map(([id, date = '', amount, description]) => (
      <li key={`${id} ${date} ${amount} ${description}`}>
        <div>
          <Text fw={600}>{/^inv/i.test(id ?? '') ? id : `Invoice ${id}`}</Text>
          <Text c="dimmed" size="xs">
            {description && `${description} · `}
            <Day date={date} />
          </Text>
        </div>
        {amount && <Text className={classes.lineAmount}>{dollars(Number(amount))}</Text>}
      </li>
    ))}
  </ul>
)

const hasReceipt: LinkedPayment['status'][] = ['IN_PROCESS', 'MAILED', 'PRINTED', 'PAID']

const lastStep: Partial<Record<LinkedPayment['status'], (payment: LinkedPayment) => string>> = {
  PAID: ({ rail }) => (rail === 'MAIL' || rail === 'PRINT' ? 'Cashed' : 'Paid'),
  MAILED: () => 'Mailed',
  PRINTED: () => 'Printed',
  FAILED: () => 'Returned',
  REFUNDED: () => 'Returned',
  VOID: () => 'Canceled',
  EXPIRED: () => 'Expired',
}

const railWords: Record<string, string> = {
  ACH: 'Bank transfer',
  RTP: 'Instant bank transfer',
  INSTANT: 'Debit card',
  PAYPAL: 'PayPal',
  VENMO: 'Venmo',
  INTERAC: 'Interac e-Transfer',
  WIRE: 'Wire',
  SWIFT: 'International wire',
  WALLET: 'Wallet',
  MAIL: 'Check by mail',
  PRINT: 'Printed check',
}
