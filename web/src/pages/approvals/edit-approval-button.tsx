import { Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import type { Approval } from '../../answers.ts'
import { api } from '../../api.ts'
import { AmountField } from '../../form/amount-field.tsx'
import { isAmount, isGiven, parseAmount } from '../../form/form-rules.ts'
import { ServiceForm } from '../../form/service-form.tsx'
import { DialogButton } from '../../shown/dialog-button.tsx'
import { dollars } from '../../shown/dollars.ts'

/** A waiting payment or batch. Batches have no recipient and no description. */
export type ApprovalItem = Pick<
  Approval,
  'id' | 'kind' | 'name' | 'amount' | 'prepared_by' | 'needed' | 'next' | 'version'
> &
  Partial<Pick<Approval, 'recipient' | 'description'>>

type Props = { item: ApprovalItem; onEdited: () => Promise<void> }

/** Edits a waiting payment. Batches are replaced on their own page, and the payment of an invoice cannot be edited here. */
export function EditButton({ item, onEdited }: Props) {
  if (item.kind === 'BATCH' || item.kind === 'INVOICE') return null
  const what = `${dollars(item.amount)} to ${item.name}`
  return (
    <DialogButton label="Edit" name={`Edit ${what}`} title={`Edit ${what}`}>
      {(close) => (
        <EditForm
          item={item}
          onEdited={async () => {
            close()
            await onEdited()
          }}
        />
      )}
    </DialogButton>
  )
}

function EditForm({ item: given, onEdited }: Props) {
  // The item as it was when the dialog opened, even if the list is refreshed.
  const [item] = useState(given)
  const [hasName, hasRecipient] = [item.kind !== 'MULTI', item.kind === 'DIGITAL']
  const before = {
    amount: item.amount.toFixed(2),
    name: item.name,
    recipient: item.recipient ?? '',
    description: item.description ?? '',
  }
  const form = useForm({
    initialValues: before,
    validate: {
      amount: isAmount,
      name: isGiven('Enter a name.'),
      recipient: isGiven('Enter an email, a phone number or a user ID.'),
    },
  })
  const changesOf = ({ amount, name, recipient, description }: typeof before) => ({
    ...(amount !== before.amount && { amount: parseAmount(amount) }),
    ...(name.trim() !== before.name && { name: name.trim() }),
    ...(recipient.trim() !== before.recipient && { recipient: recipient.trim() }),
    ...(description.trim() !== before.description && { description: description.trim() || null }),
  })
  return (
    <ServiceForm
      form={form}
      send={(values) => api.editApproval(item.id, { ...changesOf(values), version: item.version })}
      onDone={onEdited}
      submit="Save changes"
    >
      <Text>A change removes all approvals, and you can neither approve nor release the payment afterward.</Text>
      <AmountField label="Amount" data-autofocus {...form.getInputProps('amount')} />
      {hasName && <TextInput label="Name of the payee" maxLength={180} {...form.getInputProps('name')} />}
      {hasRecipient && (
        <TextInput
          label="Recipient"
          description="A new recipient chooses the account by email."
          maxLength={254}
          {...form.getInputProps('recipient')}
        />
      )}
      <TextInput label="Memo" maxLength={255} {...form.getInputProps('description')} />
    </ServiceForm>
  )
}
