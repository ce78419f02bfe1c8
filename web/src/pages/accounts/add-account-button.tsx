import { Button, Group, NativeSelect, Stack, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { IconPlus } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { NewVirtualCard } from '../../answers.ts'
import { api } from '../../api.ts'
import { ServiceForm } from '../../form/service-form.tsx'
import { DialogButton } from '../../shown/dialog-button.tsx'
import { ShownOnce } from '../../shown/shown-once.tsx'
import { ShownValue } from '../../shown/shown-value.tsx'
import { useFinish } from '../../shown/use-finish.ts'
import { type DepositFields, depositFields } from '../recipient/deposit-fields.tsx'
import { otherAccountsQuery } from './account-queries.ts'

type Kind = { name: string; fields: DepositFields; add: (body: never) => Promise<unknown> }

const kinds: Record<'card' | 'wire' | 'paypal' | 'venmo' | 'interac', Kind> = {
  card: { name: 'Debit card', fields: depositFields.CARD, add: api.addCard },
  wire: { name: 'Wire', fields: depositFields.WIRE, add: api.addWire },
  paypal: { name: 'PayPal', fields: depositFields.PAYPAL, add: api.addPayPal },
  venmo: { name: 'Venmo', fields: depositFields.VENMO, add: api.addVenmo },
  interac: { name: 'Interac e-Transfer', fields: depositFields.INTERAC, add: api.addInterac },
}

/** `issuesCards`: whether an issuer of virtual cards is set up. */
type Props = { issuesCards: boolean }

export const AddAccountButton = ({ issuesCards }: Props) => (
  <DialogButton label="Add account" title="Add an account" leftSection={<IconPlus size={16} aria-hidden />}>
    {(close) => <AccountForm issuesCards={issuesCards} onDone={close} />}
  </DialogButton>
)

function AccountForm({ issuesCards, onDone }: Props & { onDone: () => void }) {
  const [kind, setKind] = useState<keyof typeof kinds | 'vcc'>('card')
  const [issued, setIssued] = useState<NewVirtualCard | null>(null)
  if (issued) return <IssuedCard card={issued} onDone={onDone} />
  return (
    <Stack gap="md">
      <NativeSelect
        label="Type"
        data={[
          ...Object.entries(kinds).map(([value, { name }]) => ({ value, label: name })),
          ...(issuesCards ? [{ value: 'vcc', label: 'Virtual card' }] : []),
        ]}
        value={kind}
        data-autofocus
        onChange={({ currentTarget }) => setKind(currentTarget.value as typeof kind)}
      />
      {kind === 'vcc' ? (
        <VirtualCardForm onIssued={setIssued} />
      ) : (
        <KindForm key={kind} kind={kinds[kind]} onDone={onDone} />
      )}
    </Stack>
  )
}

function VirtualCardForm({ onIssued }: { onIssued: (card: NewVirtualCard) => void }) {
  const queryClient = useQueryClient()
  return (
    <ServiceForm
      form={useForm({ initialValues: {} })}
      send={api.addVirtualCard}
      onDone={async (card) => {
        await queryClient.invalidateQueries(otherAccountsQuery)
        onIssued(card)
      }}
      submit="Create card"
    >
      <Text c="dimmed">A new card that payments can be deposited onto, and that pays like any other card.</Text>
    </ServiceForm>
  )
}

const IssuedCard = ({ card: { card_number, cvv, expiration_date }, onDone }: IssuedProps) => (
  <Stack gap="md">
    <ShownOnce>Copy the number and the security code now. You won’t be able to see them again.</ShownOnce>
    <ShownValue label="Card number" value={card_number} what="card number" />
    <ShownValue label="Expires" value={expiration_date} what="expiration date" />
    <ShownValue label="Security code" value={cvv} what="security code" />
    <Group justify="flex-end">
      <Button onClick={onDone}>Done</Button>
    </Group>
  </Stack>
)

type IssuedProps = { card: NewVirtualCard; onDone: () => void }

function KindForm({ kind: { name, fields, add }, onDone }: { kind: Kind; onDone: () => void }) {
  const { initialValues, validate, bodyOf, Fields } = fields
  const finish = useFinish(otherAccountsQuery, onDone)
  const form = useForm({ initialValues, validate })
  return (
    <ServiceForm
      form={form}
      send={(values) => add(bodyOf(values) as never)}
      onDone={() => finish(`${name} added`)}
      submit="Add account"
    >
      <Fields form={form} />
    </ServiceForm>
  )
}
