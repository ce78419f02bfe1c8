import { Group, Stack, Text, Textarea } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api.ts'
import { ErrorAlert } from '../../error-display.tsx'
import { isGiven } from '../../form/form-rules.ts'
import { once } from '../../form/once.ts'
import { ServiceForm } from '../../form/service-form.tsx'
import { useMay } from '../../permission.ts'
import { hasCode } from '../../service-error.ts'
import { DialogButton } from '../../shown/dialog-button.tsx'
import { dollars } from '../../shown/dollars.ts'
import { notify } from '../../shown/notify.ts'
import { QuestionButton } from '../../shown/question-button.tsx'
import classes from './approvals.module.css'
import { type ApprovalItem, EditButton } from './edit-approval-button.tsx'

/** Returns the calls for a payment or a batch. They name its version, so that only what the person sees is approved. */
const callsOf = ({ kind, id, version }: ApprovalItem) => {
  const decide = <Answer,>(what: string, request: (key: string) => Promise<Answer>) =>
    once(`${what} ${id}`, { version }, request, () => notify('Checking whether it was done'))
  return kind === 'BATCH'
    ? {
        release: () => decide('release', (key) => api.releaseBatch(key, id, version)),
        approve: () => decide('approve', (key) => api.approveBatch(key, id, version)),
        reject: (reason: string) => api.rejectBatch(id, reason),
        withdraw: () => api.deleteBatch(id),
      }
    : {
        release: () => decide('release', (key) => api.releaseApproval(key, id, version)),
        approve: () => decide('approve', (key) => api.approveApproval(key, id, version)),
        reject: (reason: string) => api.rejectApproval(id, reason),
        withdraw: () => api.withdrawApproval(id),
      }
}

const wordsOf = ({ kind, name, amount }: ApprovalItem) =>
  `${dollars(amount)} ${kind === 'BATCH' ? 'in the batch' : 'to'} ${name}`

const isStale = (error: unknown) => hasCode(error, 'approval_changed') || hasCode(error, 'batch_changed')

/** The actions of the person for a waiting payment or batch. */
export function ApprovalActions({ item }: { item: ApprovalItem }) {
  const [mayRelease, mayPrepare] = [useMay('release'), useMay('prepare')]
  // An open dialog keeps showing and sending the item that it opened with, even if the list is refreshed.
  const [opened, setOpened] = useState(item)
  const [before, setBefore] = useState<ApprovalItem | null>(null)
  const refresh = useRefresh()
  const done = async (words: string) => {
    await refresh()
    notify(words)
  }
  const act = async (call: () => Promise<unknown>, words: string) => {
    try {
      await call()
    } catch (error) {
      if (!isStale(error)) throw error
      setBefore(opened)
      return refresh()
    }
    setBefore(null)
    await done(words)
  }
  const [what, shown] = [wordsOf(item), wordsOf(opened)]
  const onOpen = () => setOpened(item)
  return (
    <Stack gap="md" className={classes.actions}>
      {before && <ChangesAlert before={before} after={item} />}
      <Group gap="sm">
        {mayRelease && item.next !== 'none' && <DecideButton {...{ item, opened, onOpen, act }} />}
        {mayRelease && (
          <RejectButton item={item} reject={callsOf(item).reject} onRejected={() => done(`Rejected ${what}`)} />
        )}
        {mayPrepare && <EditButton item={item} onEdited={() => done('Payment changed. It has no approvals now.')} />}
        {mayPrepare && (
          <QuestionButton
            onOpen={onOpen}
            button={{ size: 'sm' }}
            label="Withdraw"
            name={`Withdraw ${what}`}
            title={`Withdraw ${shown}?`}
            confirm="Withdraw"
            onConfirm={() => act(callsOf(opened).withdraw, `Withdrew ${shown}`)}
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
    </Stack>
  )
}

type DecideProps = {
  item: ApprovalItem
  opened: ApprovalItem
  onOpen: () => void
  act: (call: () => Promise<unknown>, words: string) => Promise<void>
}

/** Releases a payment, or records the first of two approvals. */
function DecideButton({ item, opened, onOpen, act }: DecideProps) {
  const [what, shown] = [wordsOf(item), wordsOf(opened)]
  const { release, approve } = callsOf(opened)
  const label = item.needed === 0 ? 'Send' : 'Approve and send'
  const common = { onOpen, color: 'petrol', button: { variant: 'filled', size: 'sm' } } as const
  return item.next === 'release' ? (
    <QuestionButton
      {...common}
      label={label}
      name={`${label} ${what}`}
      title={`Send ${shown}?`}
      confirm={`Send ${dollars(opened.amount)}`}
      onConfirm={() => act(release, `Sent ${shown}`)}
    >
      <Text>Prepared by {opened.prepared_by}. The limits and the funds are checked again before the money leaves.</Text>
    </QuestionButton>
  ) : (
    <QuestionButton
      {...common}
      label="Approve"
      name={`Approve ${what}`}
      title={`Approve ${shown}?`}
      confirm="Approve"
      onConfirm={() => act(approve, `Approved ${shown}`)}
    >
      <Text>Another person must approve it too before it is sent.</Text>
    </QuestionButton>
  )
}

function useRefresh() {
  const queryClient = useQueryClient()
  return async () => {
    for (const name of ['approvals', 'batches', 'payments', 'invoices']) {
      await queryClient.invalidateQueries({ queryKey: [name] })
    }
  }
}

/** Says what has changed since the person opened the dialog. */
function ChangesAlert({ before, after }: { before: ApprovalItem; after: ApprovalItem }) {
  const changes = [
    ['Amount', dollars(before.amount), dollars(after.amount)],
    ['Name', before.name, after.name],
    ['Recipient', before.recipient, after.recipient],
    ['Memo', before.description ?? 'none', after.description ?? 'none'],
  ].filter(([, was, is]) => was !== is)
  return (
    <ErrorAlert>
      <Text>This changed after you opened it, so nothing was approved or sent. Review the change:</Text>
      {changes.map(([name, was, is]) => (
        <Text key={name}>
          {name}: {was} is now {is}
        </Text>
      ))}
      {changes.length === 0 && (
        <Text>{after.kind === 'BATCH' ? 'Its rows or' : 'The payee or'} the accounts of a payee changed.</Text>
      )}
    </ErrorAlert>
  )
}

type RejectProps = { item: ApprovalItem; reject: (reason: string) => Promise<unknown>; onRejected: () => Promise<void> }

function RejectButton({ item, reject, onRejected }: RejectProps) {
  const what = wordsOf(item)
  const form = useForm({ initialValues: { reason: '' }, validate: { reason: isGiven('Enter the reason.') } })
  return (
    <DialogButton label="Reject" name={`Reject ${what}`} title={`Reject ${what}?`} onClose={form.reset}>
      {(close) => (
        <ServiceForm
          form={form}
          send={({ reason }) => reject(reason.trim())}
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
