import { Button, NativeSelect, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { AddedBank, Bank } from '../../answers.ts'
import { api } from '../../api.ts'
import { isGiven } from '../../form/form-rules.ts'
import {
  type ConfirmedAccount,
  ConfirmedAccountField,
  guessAccountType,
  InstitutionSignIn,
} from '../../form/institution-sign-in.tsx'
import { RoutingNumberField } from '../../form/routing-number-field.tsx'
import { ServiceForm } from '../../form/service-form.tsx'
import { DialogButton } from '../../shown/dialog-button.tsx'
import { useFinish } from '../../shown/use-finish.ts'
import { banksQuery, institutionsQuery } from './account-queries.ts'
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

/** Adds a bank account by its numbers, or by a sign-in at the bank, which verifies it at once. */
export function BankForm({ onDone }: { onDone: () => void }) {
  const [signsIn, setSignsIn] = useState(false)
  const { data: institutions = [] } = useQuery(institutionsQuery)
  const finish = useFinish(banksQuery, onDone)
  const onAdded = (bank: AddedBank) => finish(`${nameOfBank(bank)} added`)
  return (
    <Stack gap="md">
      {signsIn ? <SignInForm onAdded={onAdded} /> : <NumbersForm onAdded={onAdded} />}
      {institutions.length > 0 && (
        <Button variant="subtle" onClick={() => setSignsIn(!signsIn)}>
          {signsIn ? 'Enter the account numbers instead' : 'Sign in to the bank to verify it at once'}
        </Button>
      )}
    </Stack>
  )
}

type FormProps = { onAdded: (bank: AddedBank) => unknown }
type Fields = { routing: string; account: string; type: Bank['type']; name: string }

const rules = { routing: isGiven('Enter the routing number.'), account: isGiven('Enter the account number.') }
const types = Object.entries(bankTypes).map(([value, label]) => ({ value, label }))

function NumbersForm({ onAdded }: FormProps) {
  const initialValues: Fields = { routing: '', account: '', type: 'CHECKING', name: '' }
  const form = useForm({ initialValues, validate: rules })
  const send = ({ routing, account, type, name }: Fields) =>
    api.addBank({ routing: routing.trim(), account: account.trim(), type, name: name.trim() || null })
  return (
    <ServiceForm form={form} send={send} onDone={onAdded} submit="Add bank">
      <RoutingNumberField
        description="Nine digits, at the bottom left of a check"
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
      <NativeSelect label="Type" data={types} {...form.getInputProps('type')} />
      <TextInput
        label="Name"
        description="Optional, for example Operating account"
        autoComplete="off"
        {...form.getInputProps('name')}
      />
    </ServiceForm>
  )
}

function SignInForm({ onAdded }: FormProps) {
  const { data: institutions = [] } = useQuery(institutionsQuery)
  const [accounts, setAccounts] = useState<ConfirmedAccount[] | null>(null)
  if (accounts) return <ChosenAccountForm accounts={accounts} onAdded={onAdded} />
  return (
    <InstitutionSignIn
      institutions={institutions.map(({ id, name, login_form }) => ({
        id,
        name,
        form: login_form.map((field) => ({ ...field, options: [] })),
      }))}
      signIn={async (place, values) => ({ mfa: null, ...(await api.signInAtInstitution({ ...place, ...values })) })}
      onConfirmed={setAccounts}
    />
  )
}

/** Lets the person choose one of the accounts that the bank returned. */
function ChosenAccountForm({ accounts, onAdded }: FormProps & { accounts: ConfirmedAccount[] }) {
  const form = useForm({ initialValues: { chosen: '0', type: guessAccountType(accounts[0]) as Bank['type'] } })
  const send = ({ chosen, type }: typeof form.values) => {
    const { routing = '', account = '', name } = accounts[Number(chosen)] ?? {}
    return api.addBank({ routing, account, type, name: name ?? null })
  }
  return (
    <ServiceForm form={form} send={send} onDone={onAdded} submit="Add bank">
      <Text role="status">You are signed in. Choose the account to add.</Text>
      <ConfirmedAccountField
        accounts={accounts}
        value={form.values.chosen}
        onChange={(chosen) => form.setValues({ chosen, type: guessAccountType(accounts[Number(chosen)]) })}
      />
      <NativeSelect label="Type" data={types} {...form.getInputProps('type')} />
    </ServiceForm>
  )
}
