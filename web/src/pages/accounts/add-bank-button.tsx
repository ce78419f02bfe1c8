import { NativeSelect, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { IconPlus } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import type { Bank } from '../../answers.ts'
import { api } from '../../api.ts'
import { isGiven } from '../../form/form-rules.ts'
import { ServiceForm } from '../../form/service-form.tsx'
import { DialogButton } from '../../shown/dialog-button.tsx'
import { notify } from '../../shown/notify.ts'
import { banksQuery } from './account-queries.ts'
import { bankTypes, nameOfBank } from './account-words.ts'

export const AddBankButton = () => (
  <DialogButton
    label="Add bank"
    title="Add a bank account"
    variant="filled"
    leftSection={<IconPlus size={16} aria-hidden />}
  >
    {(close) => <BankForm onDone={close} />}
  </DialogButton>
)

type Fields = { routing: string; account: string; type: Bank['type']; name: string }

const rules = { routing: isGiven('Enter the routing number.'), account: isGiven('Enter the account number.') }

function BankForm({ onDone }: { onDone: () => void }) {
  const queryClient = useQueryClient()
  const initialValues: Fields = { routing: '', account: '', type: 'CHECKING', name: '' }
  const form = useForm({ initialValues, validate: rules })
  const send = ({ routing, account, type, name }: Fields) =>
    api.addBank({ routing: routing.trim(), account: account.trim(), type, name: name.trim() || null })
  const finish = async (bank: Bank) => {
    await queryClient.invalidateQueries(banksQuery)
    onDone()
    notify(`${nameOfBank(bank)} added`)
  }
  return (
    <ServiceForm form={form} send={send} onDone={finish} submit="Add bank">
      <TextInput
        label="Routing number"
        description="Nine digits, at the bottom left of a check"
        inputMode="numeric"
        autoComplete="off"
        data-autofocus
        {...form.getInputProps('routing')}
      />
      <TextInput
        label="Account number"
        description="4 to 17 digits"
        inputMode="numeric"
        autoComplete="off"
        {...form.getInputProps('account')}
      />
      <NativeSelect
        label="Type"
        data={Object.entries(bankTypes).map(([value, label]) => ({ value, label }))}
        {...form.getInputProps('type')}
      />
      <TextInput
        label="Name"
        description="Optional, for example Operating account"
        autoComplete="off"
        {...form.getInputProps('name')}
      />
    </ServiceForm>
  )
}
