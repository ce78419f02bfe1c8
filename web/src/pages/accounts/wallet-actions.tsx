import { Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { Wallet } from '../../answers.ts'
import { api } from '../../api.ts'
import { AmountField } from '../../form/amount-field.tsx'
import { isAmount, isGiven, parseAmount } from '../../form/form-rules.ts'
import { ServiceForm } from '../../form/service-form.tsx'
import { DialogButton } from '../../shown/dialog-button.tsx'
import { notify } from '../../shown/notify.ts'
import { QuestionButton } from '../../shown/question-button.tsx'
import { useFinish } from '../../shown/use-finish.ts'
import { walletsQuery } from './account-queries.ts'

type Props = { wallet: Wallet }
type FormProps = Props & { onDone: () => void }

export const nameOfWallet = ({ name }: Pick<Wallet, 'name'>): string => name ?? 'Wallet'

/** Adds test money to a wallet, in environments without real money. */
export const FundButton = ({ wallet }: Props) => (
  <DialogButton
    label="Add test money"
    name={`Add test money to ${nameOfWallet(wallet)}`}
    title={`Add test money to ${nameOfWallet(wallet)}`}
  >
    {(close) => <FundForm wallet={wallet} onDone={close} />}
  </DialogButton>
)

function FundForm({ wallet, onDone }: FormProps) {
  const finish = useFinish(walletsQuery, onDone)
  const form = useForm({ initialValues: { amount: '1000.00' }, validate: { amount: isAmount } })
  return (
    <ServiceForm
      form={form}
      send={({ amount }) => api.fundWallet(wallet.id, { amount: parseAmount(amount) })}
      onDone={() => finish('Test money added')}
      submit="Add money"
    >
      <AmountField label="Amount" data-autofocus {...form.getInputProps('amount')} />
    </ServiceForm>
  )
}

export const RenameWalletButton = ({ wallet }: Props) => (
  <DialogButton label="Rename" title={`Rename ${nameOfWallet(wallet)}`}>
    {(close) => <RenameForm wallet={wallet} onDone={close} />}
  </DialogButton>
)

function RenameForm({ wallet, onDone }: FormProps) {
  const finish = useFinish(walletsQuery, onDone)
  const form = useForm({ initialValues: { name: wallet.name ?? '' }, validate: { name: isGiven('Enter a name.') } })
  return (
    <ServiceForm
      form={form}
      send={({ name }) => api.renameWallet(wallet.id, name.trim())}
      onDone={() => finish('Wallet renamed')}
      submit="Save name"
    >
      <TextInput label="Name" autoComplete="off" data-autofocus {...form.getInputProps('name')} />
    </ServiceForm>
  )
}

export function RemoveWalletButton({ wallet }: Props) {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  return (
    <QuestionButton
      label="Remove"
      title={`Remove ${nameOfWallet(wallet)}?`}
      confirm="Remove wallet"
      button={{ size: 'sm' }}
      onConfirm={async () => {
        await api.removeWallet(wallet.id)
        await navigate({ to: '/accounts' })
        await queryClient.invalidateQueries(walletsQuery)
        notify(`${nameOfWallet(wallet)} removed`)
      }}
    >
      <Text>Only an empty wallet without payments in progress can be removed.</Text>
    </QuestionButton>
  )
}
