import { TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import type { FormerPayee } from '../../answers.ts'
import { addressLines } from '../../form/address-fields.tsx'
import { formerPayeesQuery } from '../payees/payee-queries.ts'
import type { SendFields } from './send-order.ts'

type Form = UseFormReturnType<SendFields>

/** The name on the check. Offers the payees of former payments, and fills in where they get their money. */
export function PayeeName({ form, description }: { form: Form; description?: string }) {
  const list = useId()
  const offered = useFormerPayees(form)
  const { onChange, ...field } = form.getInputProps('name')
  return (
    <>
      <TextInput
        label="Name of the payee"
        description={description}
        autoComplete="off"
        list={offered.length > 0 ? list : undefined}
        {...field}
        onChange={(event) => {
          onChange(event)
          const chosen = onlyOne(offered, ({ name }) => name === event.currentTarget.value)
          if (chosen) form.setValues(fieldsOf(chosen, form.values))
        }}
      />
      <datalist id={list}>
        {offered.map((payee) => (
          <option key={`${payee.name} ${detailOf(payee)}`} value={payee.name}>
            {detailOf(payee)}
          </option>
        ))}
      </datalist>
    </>
  )
}

/** The email address, phone number or user ID of the payee. Offers the recipients of former payments, and fills in their names. */
export function RecipientField({ form }: { form: Form }) {
  const list = useId()
  const offered = useFormerPayees(form)
  const { onChange, ...field } = form.getInputProps('recipient')
  return (
    <>
      <TextInput
        label="To"
        description="Email address, phone number or user ID"
        autoComplete="off"
        spellCheck={false}
        list={offered.length > 0 ? list : undefined}
        {...field}
        onChange={(event) => {
          onChange(event)
          const chosen = onlyOne(offered, ({ recipient }) => recipient === event.currentTarget.value)
          if (chosen && form.values.name === '') form.setFieldValue('name', chosen.name)
        }}
      />
      <datalist id={list}>
        {offered.map(({ name, recipient }) => (
          <option key={`${name} ${recipient}`} value={recipient ?? ''}>
            {name}
          </option>
        ))}
      </datalist>
    </>
  )
}

/** Returns the former payees for the chosen kind of payment. Empty if a saved payee is chosen. */
function useFormerPayees({ values: { kind, payee } }: Form): FormerPayee[] {
  const { data = [] } = useQuery(formerPayeesQuery)
  return payee === '' ? data.filter(({ address }) => (address !== null) === (kind === 'PHYSICAL')) : []
}

const onlyOne = (payees: FormerPayee[], is: (payee: FormerPayee) => boolean): FormerPayee | undefined => {
  const [found, ...others] = payees.filter(is)
  return others.length === 0 ? found : undefined
}

/** Returns the values that a chosen payee fills in. Typed values are kept. */
function fieldsOf({ recipient, address }: FormerPayee, { recipient: typed, address: lines }: SendFields) {
  if (address) return Object.values(lines).every((line) => line === '') ? { address: addressLines(address) } : {}
  return typed === '' ? { recipient: recipient ?? '' } : {}
}

const detailOf = ({ recipient, address }: FormerPayee): string =>
  address ? `${address.line_1}, ${address.city}, ${address.state} ${address.zip}` : (recipient ?? '')
