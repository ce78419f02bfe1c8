import { NativeSelect, SimpleGrid } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { ChangedPayeeAlert } from '../payees/changed-payee-alert.tsx'
import { allPayeesQuery, payeeQuery } from '../payees/payee-queries.ts'
import { accountText } from '../payees/payee-words.ts'
import type { SendFields } from './send-order.ts'

type Form = UseFormReturnType<SendFields>

/** Chooses a saved payee, and the payee's account. Without an account, the payee chooses by email. */
export function PayeeFields({ form }: { form: Form }) {
  const { data: payees = [] } = useQuery(allPayeesQuery)
  const { payee: id, name } = form.values
  const { data: payee } = useQuery({ ...payeeQuery(id), enabled: id !== '' })
  const choose = (chosen: string) => {
    const found = payees.find((one) => one.id === chosen)
    form.setValues({
      payee: chosen,
      payee_account: found?.accounts[0]?.id ?? '',
      recipient: found?.email ?? '',
      name: found?.name ?? '',
    })
  }
  // A link from another page has chosen the payee.
  useEffect(() => {
    if (id !== '' && name === '' && payees.length > 0) choose(id)
  }, [payees.length])
  if (payees.length === 0) return null
  return (
    <>
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
        <NativeSelect
          label="Payee"
          data={[{ value: '', label: 'Someone else' }, ...payees.map((one) => ({ value: one.id, label: one.name }))]}
          value={id}
          onChange={({ currentTarget }) => choose(currentTarget.value)}
        />
        {payee && payee.accounts.length > 0 && form.values.interval === '' && (
          <NativeSelect
            label="Pay into"
            data={[
              ...payee.accounts.map((account) => ({ value: account.id, label: accountText(account) })),
              { value: '', label: 'The payee chooses by email' },
            ]}
            {...form.getInputProps('payee_account')}
          />
        )}
      </SimpleGrid>
      <ChangedPayeeAlert id={id} />
    </>
  )
}

/** The account that a payment goes to. */
export function PayeeAccountName({ fields: { payee: id, payee_account } }: { fields: SendFields }) {
  const { data: payee } = useQuery(payeeQuery(id))
  const account = payee?.accounts.find((one) => one.id === payee_account)
  return account ? accountText(account) : null
}
