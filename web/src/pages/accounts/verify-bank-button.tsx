import { Group, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { Bank } from '../../answers.ts'
import { api } from '../../api.ts'
import { AmountField } from '../../form/amount-field.tsx'
import { isMicroDeposit, parseMicroDeposit } from '../../form/form-rules.ts'
import { ServiceForm } from '../../form/service-form.tsx'
import { useServiceContext } from '../../service-context.ts'
import { DialogButton } from '../../shown/dialog-button.tsx'
import { useFinish } from '../../shown/use-finish.ts'
import { banksQuery } from './account-queries.ts'
import { nameOfBank } from './account-words.ts'

/** Asks for the amounts of the two micro-deposits. */
export function VerifyBankButton({ bank, opensAtOnce }: { bank: Bank; opensAtOnce: boolean }) {
  return (
    <DialogButton
      label="Enter amounts"
      name={`Enter the amounts for ${nameOfBank(bank)}`}
      title={`Verify ${nameOfBank(bank)}`}
      variant="filled"
      size="xs"
      opensAtOnce={opensAtOnce}
    >
      {(close) => <AmountsForm bank={bank} onDone={close} />}
    </DialogButton>
  )
}

/** The amounts of the two micro-deposits. */
export function AmountsForm({ bank, onDone }: { bank: Bank; onDone: () => void }) {
  const finish = useFinish(banksQuery, onDone)
  const { environment } = useServiceContext()
  const form = useForm({ initialValues: { amount_1: '', amount_2: '' }, validate: rules })
  const send = ({ amount_1, amount_2 }: typeof form.values) =>
    api.verifyBank({ account: bank.id, amount_1: parseMicroDeposit(amount_1), amount_2: parseMicroDeposit(amount_2) })
  return (
    <ServiceForm form={form} send={send} onDone={() => finish(`${nameOfBank(bank)} is verified`)} submit="Verify">
      <Text>
        We sent two deposits of less than $1 to this account. Find them on its statement and enter both, in any order.
        {environment === 'production'
          ? ' They arrive within two banking days. You have three tries.'
          : ' Here they are always $0.07 and $0.15.'}
      </Text>
      <Group grow align="flex-start">
        <AmountField label="First amount" data-autofocus {...form.getInputProps('amount_1')} />
        <AmountField label="Second amount" {...form.getInputProps('amount_2')} />
      </Group>
    </ServiceForm>
  )
}

const rules = { amount_1: isMicroDeposit, amount_2: isMicroDeposit }
