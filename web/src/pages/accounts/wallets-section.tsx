import { Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { Wallet } from '../../answers.ts'
import { api } from '../../api.ts'
import { isGiven } from '../../form/form-rules.ts'
import { ServiceForm } from '../../form/service-form.tsx'
import { RouterAnchor } from '../../layout/router-anchor.tsx'
import { Section } from '../../layout/section.tsx'
import { useMay } from '../../permission.ts'
import { DialogButton } from '../../shown/dialog-button.tsx'
import { dollars } from '../../shown/dollars.ts'
import { Loaded } from '../../shown/loaded.tsx'
import { SkeletonRows } from '../../shown/skeleton-rows.tsx'
import { useFinish } from '../../shown/use-finish.ts'
import { walletsQuery } from './account-queries.ts'
import classes from './accounts.module.css'
import { nameOfWallet } from './wallet-actions.tsx'

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

const WalletCard = ({ wallet }: { wallet: Wallet }) => (
  <li className={classes.card}>
    <Text fw={600}>
      <RouterAnchor to="/accounts/wallets/$id" params={{ id: wallet.id }}>
        {nameOfWallet(wallet)}
      </RouterAnchor>
    </Text>
    <Text className={classes.amount}>{dollars(wallet.balance)}</Text>
  </li>
)

const AddWalletButton = () => (
  <DialogButton label="Add wallet" title="Add a wallet" leftSection={<IconPlus size={16} aria-hidden />}>
    {(close) => <WalletForm onDone={close} />}
  </DialogButton>
)

function WalletForm({ onDone }: { onDone: () => void }) {
  const finish = useFinish(walletsQuery, onDone)
  const form = useForm({ initialValues: { name: '' }, validate: { name: isGiven('Enter a name.') } })
  return (
    <ServiceForm
      form={form}
      send={({ name }) => api.addWallet({ name: name.trim() })}
      onDone={() => finish('Wallet added')}
      submit="Add wallet"
    >
      <TextInput label="Name" autoComplete="off" data-autofocus {...form.getInputProps('name')} />
    </ServiceForm>
  )
}
