import { Badge, Group, Text } from '@mantine/core'
import type { Approval } from '../../answers.ts'
import { RouterAnchor } from '../../layout/router-anchor.tsx'
import { dollars } from '../../shown/dollars.ts'
import { Moment } from '../../shown/moment.tsx'
import { ApprovalActions } from './approval-actions.tsx'
import classes from './approvals.module.css'

/** A waiting payment: its details, who prepared it, why it needs approvals, and the actions of the person. */
export function ApprovalItem({ item }: { item: Approval }) {
  return (
    <li className={classes.item}>
      <div className={classes.payee}>
        <Text fw={600}>
          {item.kind === 'BATCH' ? (
            <RouterAnchor to="/batches/$id" params={{ id: item.id }}>
              {item.name}
            </RouterAnchor>
          ) : (
            item.name
          )}
        </Text>
        <Text c="dimmed" size="sm">
          {item.invoice ? (
            <>
              Pays an{' '}
              <RouterAnchor to="/invoices/$id" params={{ id: item.invoice.id }}>
                invoice
              </RouterAnchor>
              : {item.description}
            </>
          ) : (
            [item.recipient, item.pays_into && `into ${item.pays_into}`, item.description].filter(Boolean).join(' · ')
          )}
        </Text>
        {item.invoice && item.invoice.status !== 'UNPAID' && (
          <Text size="sm" c="red">
            {item.invoice.status === 'VOID' ? 'The invoice was voided.' : 'The invoice was paid already.'} Withdraw or
            reject this payment.
          </Text>
        )}
        <Text c="dimmed" size="sm">
          Prepared by {item.prepared_by} on <Moment utc={item.date} />
        </Text>
      </div>
      <span className={classes.amount}>{dollars(item.amount)}</span>
      <Group gap={8} className={classes.actions}>
        {item.reasons.map((reason) => (
          <Badge key={reason} variant="light" tt="none" radius="sm">
            {reason}
          </Badge>
        ))}
        <Text size="sm" c="dimmed">
          {progressWords(item)}
          {item.is_payee_changed && '. The payee or its account changed, so earlier approvals do not count.'}
        </Text>
      </Group>
      <ApprovalActions item={item} />
    </li>
  )
}

/** The number of required approvals, and the people who have approved. */
export function progressWords({ needed, approved_by }: Pick<Approval, 'needed' | 'approved_by'>): string {
  if (needed === 0) return 'Needs no approval. Anyone who can release payments can send it.'
  const who = approved_by.length > 0 ? `, approved by ${approved_by.join(' and ')}` : ''
  return `Needs ${needed === 1 ? 'one approval' : 'two approvals'}${who}`
}
