import { Group, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQueryClient } from '@tanstack/react-query'
import type { Bank } from '../../answers.ts'
import { api } from '../../api.ts'
import { isGiven } from '../../form/form-rules.ts'
import { ServiceForm } from '../../form/service-form.tsx'
import { useServiceContext } from '../../service-context.ts'
import { DialogButton } from '../../shown/dialog-button.tsx'
import { notify } from '../../shown/notify.ts'
import { banksQuery } from './account-queries.ts'
import { nameOfBank } from './account-words.ts'

/** Asks for the amounts of the two micro-deposits. */
export function VerifyBankButton({ bank }: { bank: Bank }) {
  return (
    <DialogButton
      label="Enter amounts"
      name={`Enter the amounts for ${nameOfBank(bank)}`}
      title={`Verify ${nameOfBank(bank)}`}
      variant="filled"
      size="xs"
    >
      {(close) => <AmountsForm bank={bank} onDone={close} />}
    </DialogButton>
  )
}

function AmountsForm({ bank, onDone }: { bank: Bank; onDone: () => void }) {
  const queryClient = useQueryClient()
  const { environment } = useServiceContext()
  const form = useForm({ initialValues: { amount_1: '', amount_2: '' }, validate: rules })
  const send = ({ amount_1, amount_2 }: typeof form.values) =>
    api.verifyBank({ account: bank.id, amount_1: Number(amount_1), amount_2: Number(amount_2) })
  const finish = async () => {
    await queryClient.invalidateQueries(banksQuery)
    onDone()
    notify(`${nameOfBank(bank)} is verified`)
  }
  return (
    <ServiceForm form={form} send={send} onDone={finish} submit="Verify">
      <Text>
        We sent two deposits of less than $1 to this account. Find them on its statement and enter both, in any order.
        {environment === 'production'
          ? ' They arrive within two banking days. You have three tries.'
          : ' Here they are always 0.07 and 0.15.'}
      </Text>
      <Group grow align="flex-start">
        <AmountInput label="First amount" data-autofocus {...form.getInputProps('amount_1')} />
        <AmountInput label="Second amount" {...form.getInputProps('amount_2')} />
      </Group>
    </ServiceForm>
  )
}

const rules = { amount_1: isGiven('Enter an amount.'), amount_2: isGiven('Enter an amount.') }

const AmountInput = (props: object & { label: string }) => (
  <TextInput inputMode="decimal" placeholder="0.00" leftSection="$" autoComplete="off" {...props} />
)
