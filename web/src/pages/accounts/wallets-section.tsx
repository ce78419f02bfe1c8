import { Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { IconPlus } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { Wallet } from '../../answers.ts'
import { api } from '../../api.ts'
import { AmountField } from '../../form/amount-field.tsx'
import { amountOf, isAmount, isGiven } from '../../form/form-rules.ts'
import { ServiceForm } from '../../form/service-form.tsx'
import { Section } from '../../layout/section.tsx'
import { useMay } from '../../permission.ts'
import { useServiceContext } from '../../service-context.ts'
import { DialogButton } from '../../shown/dialog-button.tsx'
import { dollars } from '../../shown/dollars.ts'
import { Loaded } from '../../shown/loaded.tsx'
import { notify } from '../../shown/notify.ts'
import { SkeletonRows } from '../../shown/skeleton-rows.tsx'
import { walletsQuery } from './account-queries.ts'
import classes from './accounts.module.css'

const nameOfWallet = ({ name }: Pick<Wallet, 'name'>): string => name ?? 'Wallet'

export function WalletsSection() {
  const wallets = useQuery(walletsQuery)
  const mayChange = useMay('accounts')
  return (
    <Section
      title="Wallets"
      about="Balances in this service. Payments between wallets are instant."
      action={mayChange && <AddWalletButton />}
    >
      <Loaded query={wallets} skeleton={<SkeletonRows count={2} height={56} />}>
        {(list) =>
          list.length === 0 ? (
            <Text c="dimmed">No wallet yet.</Text>
          ) : (
            <ul className={classes.list}>
              {list.map((wallet) => (
                <WalletCard key={wallet.id} wallet={wallet} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </Section>
  )
}

function WalletCard({ wallet }: { wallet: Wallet }) {
  const { environment } = useServiceContext()
  const maySimulate = useMay('simulate') && environment !== 'production'
  return (
    <li className={classes.card}>
      <div>
        <Text fw={600}>{nameOfWallet(wallet)}</Text>
        <Text className={classes.amount}>{dollars(wallet.balance)}</Text>
      </div>
      {maySimulate && <FundButton wallet={wallet} />}
    </li>
  )
}

const AddWalletButton = () => (
  <DialogButton label="Add wallet" title="Add a wallet" leftSection={<IconPlus size={16} aria-hidden />}>
    {(close) => <WalletForm onDone={close} />}
  </DialogButton>
)

function WalletForm({ onDone }: { onDone: () => void }) {
  const queryClient = useQueryClient()
  const form = useForm({ initialValues: { name: '' }, validate: { name: isGiven('Enter a name.') } })
  const finish = async () => {
    await queryClient.invalidateQueries(walletsQuery)
    onDone()
    notify('Wallet added')
  }
  return (
    <ServiceForm
      form={form}
      send={({ name }) => api.addWallet({ name: name.trim() })}
      onDone={finish}
      submit="Add wallet"
    >
      <TextInput label="Name" autoComplete="off" data-autofocus {...form.getInputProps('name')} />
    </ServiceForm>
  )
}

/** Test money, where no real money moves. */
function FundButton({ wallet }: { wallet: Wallet }) {
  return (
    <DialogButton
      label="Add test money"
      name={`Add test money to ${nameOfWallet(wallet)}`}
      title={`Add test money to ${nameOfWallet(wallet)}`}
      size="xs"
    >
      {(close) => <FundForm wallet={wallet} onDone={close} />}
    </DialogButton>
  )
}

function FundForm({ wallet, onDone }: { wallet: Wallet; onDone: () => void }) {
  const queryClient = useQueryClient()
  const form = useForm({ initialValues: { amount: '1000.00' }, validate: { amount: isAmount } })
  const finish = async () => {
    await queryClient.invalidateQueries(walletsQuery)
    onDone()
  }
  return (
    <ServiceForm
      form={form}
      send={({ amount }) => api.fundWallet(wallet.id, { amount: amountOf(amount) })}
      onDone={finish}
      submit="Add money"
    >
      <AmountField label="Amount" data-autofocus {...form.getInputProps('amount')} />
    </ServiceForm>
  )
}
