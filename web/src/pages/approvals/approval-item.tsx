import { Badge, Group, Text, Textarea } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQueryClient } from '@tanstack/react-query'
import type { Approval } from '../../answers.ts'
import { api } from '../../api.ts'
import { isGiven } from '../../form/form-rules.ts'
import { ServiceForm } from '../../form/service-form.tsx'
import { RouterAnchor } from '../../layout/router-anchor.tsx'
import { useMay } from '../../permission.ts'
import { DialogButton } from '../../shown/dialog-button.tsx'
import { dollars } from '../../shown/dollars.ts'
import { Moment } from '../../shown/moment.tsx'
import { notify } from '../../shown/notify.ts'
import { QuestionButton } from '../../shown/question-button.tsx'
import classes from './approvals.module.css'

/** A payment that waits: what, who prepared it, why it needs approvals, and what the person can do. */
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
            [item.recipient, item.description].filter(Boolean).join(' · ')
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
        </Text>
      </Group>
      <ApprovalActions item={item} />
    </li>
  )
}

/** How many approvals are needed, and whose there are. */
export function progressWords({ needed, approved_by }: Pick<Approval, 'needed' | 'approved_by'>): string {
  if (needed === 0) return 'Needs no approval. Anyone who can release payments sends it.'
  const who = approved_by.length > 0 ? `, approved by ${approved_by.join(' and ')}` : ''
  return `Needs ${needed === 1 ? 'one approval' : 'two approvals'}${who}`
}

type Acted = Pick<Approval, 'id' | 'kind' | 'name' | 'amount' | 'prepared_by' | 'next' | 'version'>

/** Batches have calls of their own. */
const callsOf = ({ kind, version }: Acted) =>
  kind === 'BATCH'
    ? {
        // Only what the person sees is approved.
        release: (id: string) => api.releaseBatch(id, version ?? undefined),
        approve: (id: string) => api.approveBatch(id, version ?? undefined),
        reject: api.rejectBatch,
        withdraw: api.deleteBatch,
      }
    : {
        release: api.releaseApproval,
        approve: api.approveApproval,
        reject: api.rejectApproval,
        withdraw: api.withdrawApproval,
      }

/** What the person can do with a payment or a batch that waits. */
export function ApprovalActions({ item }: { item: Acted }) {
  const queryClient = useQueryClient()
  const [mayRelease, mayPrepare] = [useMay('release'), useMay('prepare')]
  const what = `${dollars(item.amount)} ${item.kind === 'BATCH' ? 'in the batch' : 'to'} ${item.name}`
  const done = async (words: string) => {
    for (const queryKey of [['approvals'], ['batches'], ['payments'], ['invoices']])
      await queryClient.invalidateQueries({ queryKey })
    notify(words)
  }
  return (
    <Group gap="sm" className={classes.actions}>
      {mayRelease && item.next === 'release' && (
        <QuestionButton
          label="Approve and send"
          name={`Approve and send ${what}`}
          title={`Send ${what}?`}
          confirm={`Send ${dollars(item.amount)}`}
          color="petrol"
          button={{ variant: 'filled', size: 'sm' }}
          onConfirm={() =>
            callsOf(item)
              .release(item.id)
              .then(() => done(`Sent ${what}`))
          }
        >
          <Text>
            Prepared by {item.prepared_by}. The limits and the funds are checked again before the money leaves.
          </Text>
        </QuestionButton>
      )}
      {mayRelease && item.next === 'approve' && (
        <QuestionButton
          label="Approve"
          name={`Approve ${what}`}
          title={`Approve ${what}?`}
          confirm="Approve"
          color="petrol"
          button={{ variant: 'filled', size: 'sm' }}
          onConfirm={() =>
            callsOf(item)
              .approve(item.id)
              .then(() => done(`Approved ${what}`))
          }
        >
          <Text>Another person must approve it too before it is sent.</Text>
        </QuestionButton>
      )}
      {mayRelease && <RejectButton item={item} what={what} onRejected={() => done(`Rejected ${what}`)} />}
      {mayPrepare && (
        <QuestionButton
          label="Withdraw"
          name={`Withdraw ${what}`}
          title={`Withdraw ${what}?`}
          confirm="Withdraw"
          button={{ size: 'sm' }}
          onConfirm={() =>
            callsOf(item)
              .withdraw(item.id)
              .then(() => done(`Withdrew ${what}`))
          }
        >
          <Text>Nobody can release it afterward.</Text>
        </QuestionButton>
      )}
      {mayRelease && item.next === 'none' && (
        <Text size="sm" c="dimmed">
          {'You prepared, changed or approved it, so another person must release it.'}
        </Text>
      )}
    </Group>
  )
}

function RejectButton({ item, what, onRejected }: { item: Acted; what: string; onRejected: () => Promise<void> }) {
  const form = useForm({ initialValues: { reason: '' }, validate: { reason: isGiven('Enter the reason.') } })
  return (
    <DialogButton label="Reject" name={`Reject ${what}`} title={`Reject ${what}?`} onClose={form.reset}>
      {(close) => (
        <ServiceForm
          form={form}
          send={({ reason }) => callsOf(item).reject(item.id, reason.trim())}
          onDone={async () => {
            close()
            await onRejected()
          }}
          submit="Reject"
        >
          <Textarea
            label="Reason"
            description={`${item.prepared_by} gets it by email.`}
            maxLength={500}
            autosize
            minRows={2}
            data-autofocus
            {...form.getInputProps('reason')}
          />
        </ServiceForm>
      )}
    </DialogButton>
  )
}
