import { NativeSelect, Stack } from '@mantine/core'
import { useForm } from '@mantine/form'
import { IconPlus } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api.ts'
import { ServiceForm } from '../../form/service-form.tsx'
import { DialogButton } from '../../shown/dialog-button.tsx'
import { notify } from '../../shown/notify.ts'
import { type DepositFields, depositFields } from '../recipient/deposit-fields.tsx'
import { otherAccountsQuery } from './account-queries.ts'

type Kind = { name: string; fields: DepositFields; add: (body: never) => Promise<unknown> }

/** A virtual card is made by the API: it needs no form. */
const kinds: Record<'card' | 'wire' | 'paypal' | 'venmo' | 'interac', Kind> = {
  card: { name: 'Debit card', fields: depositFields.CARD, add: api.addCard },
  wire: { name: 'Wire', fields: depositFields.WIRE, add: api.addWire },
  paypal: { name: 'PayPal', fields: depositFields.PAYPAL, add: api.addPayPal },
  venmo: { name: 'Venmo', fields: depositFields.VENMO, add: api.addVenmo },
  interac: { name: 'Interac e-Transfer', fields: depositFields.INTERAC, add: api.addInterac },
}

export const AddAccountButton = () => (
  <DialogButton label="Add account" title="Add an account" leftSection={<IconPlus size={16} aria-hidden />}>
    {(close) => <AccountForm onDone={close} />}
  </DialogButton>
)

function AccountForm({ onDone }: { onDone: () => void }) {
  const [kind, setKind] = useState<keyof typeof kinds>('card')
  return (
    <Stack gap="md">
      <NativeSelect
        label="Type"
        data={Object.entries(kinds).map(([value, { name }]) => ({ value, label: name }))}
        value={kind}
        data-autofocus
        onChange={({ currentTarget }) => setKind(currentTarget.value as keyof typeof kinds)}
      />
      <KindForm key={kind} kind={kinds[kind]} onDone={onDone} />
    </Stack>
  )
}

function KindForm({ kind: { name, fields, add }, onDone }: { kind: Kind; onDone: () => void }) {
  const { initialValues, validate, bodyOf, Fields } = fields
  const queryClient = useQueryClient()
  const form = useForm({ initialValues, validate })
  return (
    <ServiceForm
      form={form}
      send={(values) => add(bodyOf(values) as never)}
      onDone={async () => {
        await queryClient.invalidateQueries(otherAccountsQuery)
        onDone()
        notify(`${name} added`)
      }}
      submit="Add account"
    >
      <Fields form={form} />
    </ServiceForm>
  )
}
