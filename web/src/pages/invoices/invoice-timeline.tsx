import { Text } from '@mantine/core'
import type { InvoiceEntry } from '../../answers.ts'
import { RouterAnchor } from '../../layout/router-anchor.tsx'
import { Section } from '../../layout/section.tsx'
import { Moment } from '../../shown/moment.tsx'
import classes from '../payments/detail/timeline-section.module.css'

const words: Record<InvoiceEntry['event'], string> = {
  send: 'Invoice sent',
  mail: 'Email sent to the recipient',
  remind: 'Reminder sent',
  begin_payment: 'Payment started',
  pay: 'Paid',
  fail_payment: 'Payment failed',
  void: 'Voided',
}

/** The payment status whose color an entry has. */
const statuses: Partial<Record<InvoiceEntry['event'], string>> = {
  begin_payment: 'IN_PROCESS',
  pay: 'PAID',
  fail_payment: 'FAILED',
}

/** The history of an invoice, in order. */
export const InvoiceTimeline = ({ entries }: { entries: readonly InvoiceEntry[] }) => (
  <Section title="Timeline">
    <ol className={classes.entries}>
      {entries.map(({ event, time, check_id: payment }, index) => (
        <li
          key={index}
          className={classes.entry}
          data-kind={event in statuses ? 'payment' : undefined}
          data-status={statuses[event]}
        >
          <div className={classes.words}>
            <Text fw={event in statuses ? 600 : 450}>
              {event === 'begin_payment' && payment !== null ? (
                <RouterAnchor to="/payments/$id" params={{ id: payment }}>
                  {words[event]}
                </RouterAnchor>
              ) : (
                words[event]
              )}
            </Text>
          </div>
          <div className={classes.time}>
            <Moment utc={time} />
          </div>
        </li>
      ))}
    </ol>
  </Section>
)
