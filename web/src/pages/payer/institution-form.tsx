import { Group, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { LinkedInvoice } from '../../answers.ts'
import { api } from '../../api.ts'
import { isGiven } from '../../form/form-rules.ts'
import {
  type ConfirmedAccount,
  ConfirmedAccountField,
  guessAccountType,
  InstitutionSignIn,
} from '../../form/institution-sign-in.tsx'
import { ServiceForm } from '../../form/service-form.tsx'
import { Loaded } from '../../shown/loaded.tsx'
import { KindOfAccount } from '../recipient/deposit-fields.tsx'

export type StepProps = {
  token: string
  invoice: LinkedInvoice
  /** Whether the page is in its initial state. */
  isFirst: boolean
  onDone: (invoice: LinkedInvoice) => void
}

/** Signs the payer in at an institution, and then lets the payer choose an account. */
export function InstitutionForm(props: StepProps) {
  const { token } = props
  const [accounts, setAccounts] = useState<ConfirmedAccount[] | null>(null)
  const institutions = useQuery({
    queryKey: ['payer-institutions', token],
    queryFn: () => api.payerInstitutions(token),
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (accounts) return <ConfirmedAccountForm {...props} accounts={accounts} />
  return (
    <Loaded query={institutions}>
      {(all) => (
        <InstitutionSignIn
          institutions={all}
          signIn={(place, values) => api.signInToPay({ token, ...place, values })}
          onConfirmed={setAccounts}
        />
      )}
    </Loaded>
  )
}

/** Lets the payer choose one of the confirmed accounts. */
function ConfirmedAccountForm({ token, invoice, accounts, onDone }: StepProps & { accounts: ConfirmedAccount[] }) {
  const form = useForm({
    initialValues: { name: invoice.name, chosen: '0', type: guessAccountType(accounts[0]) as string },
    validate: { name: isGiven('Enter the name of the account holder.') },
  })
  const send = ({ name, chosen, type }: typeof form.values) => {
    const { routing = '', account = '' } = accounts[Number(chosen)] ?? {}
    return api.giveAccount({ token, name: name.trim(), routing, account, type: type as 'CHECKING' })
  }
  return (
    <ServiceForm form={form} send={send} onDone={onDone} submit="Use this account" fullWidth>
      <ConfirmedAccountField
        accounts={accounts}
        value={form.values.chosen}
        onChange={(chosen) => form.setValues({ chosen, type: guessAccountType(accounts[Number(chosen)]) })}
      />
      <Group grow align="flex-start">
        <TextInput label="Account holder" required autoComplete="name" {...form.getInputProps('name')} />
        <KindOfAccount form={form} />
      </Group>
    </ServiceForm>
  )
}
