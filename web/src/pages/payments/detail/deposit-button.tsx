import { NativeSelect, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { PaymentDetails } from '../../../answers.ts'
import { api } from '../../../api.ts'
import { isGiven } from '../../../form/form-rules.ts'
import { once } from '../../../form/once.ts'
import { ServiceForm } from '../../../form/service-form.tsx'
import { RouterAnchor } from '../../../layout/router-anchor.tsx'
import { DialogButton } from '../../../shown/dialog-button.tsx'
import { dollars } from '../../../shown/dollars.ts'
import { notify } from '../../../shown/notify.ts'
import { banksQuery, walletsQuery } from '../../accounts/account-queries.ts'
import { nameOfBank } from '../../accounts/account-words.ts'
import { showStatus } from '../payment-queries.ts'

/** The recipient chooses the account that a payment is paid into. */
export const DepositButton = ({ payment }: { payment: PaymentDetails }) => (
  <DialogButton label="Deposit" title={`Deposit ${dollars(payment.amount)}`} variant="filled">
    {(close) => <DepositForm payment={payment} onDone={close} />}
  </DialogButton>
)

function DepositForm({ payment: { id, sender }, onDone }: { payment: PaymentDetails; onDone: () => void }) {
  const queryClient = useQueryClient()
  const { data: banks } = useQuery(banksQuery)
  const { data: wallets } = useQuery(walletsQuery)
  const form = useForm({ initialValues: { account: '' }, validate: { account: isGiven('Choose an account.') } })
  const accounts = [
    ...(banks ?? []).map((bank) => ({ value: bank.id, label: nameOfBank(bank) })),
    ...(wallets ?? []).map((wallet) => ({ value: wallet.id, label: wallet.name ?? 'Wallet' })),
  ]
  if (banks && wallets && accounts.length === 0) {
    return (
      <Text>
        You have no account yet. <RouterAnchor to="/accounts">Add one</RouterAnchor>.
      </Text>
    )
  }
  return (
    <ServiceForm
      form={form}
      send={({ account }) =>
        once(
          `deposit ${id}`,
          account,
          (key) => api.depositPayment(key, id, account),
          () => notify('Checking whether the deposit has started…'),
        )
      }
      onDone={async ({ status }) => {
        await showStatus(queryClient, id, status)
        onDone()
        notify('Deposit started')
      }}
      submit="Deposit"
    >
      <NativeSelect
        label="Into"
        description={`The payment from ${sender} goes to this account`}
        data={[{ value: '', label: 'Choose an account' }, ...accounts]}
        data-autofocus
        {...form.getInputProps('account')}
      />
    </ServiceForm>
  )
}
