import { Group, NativeSelect, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import type { ComponentType } from 'react'
import type { DepositOption } from '../../answers.ts'
import { isGiven } from '../../form/form-rules.ts'
import { RoutingNumberField } from '../../form/routing-number-field.tsx'

type Values = Record<string, string>
type Validate = Record<string, (value: string, values: Values) => string | null>

/** The form fields of each option, and the request built from them. */
export type DepositFields = {
  initialValues: Values
  validate: Validate
  bodyOf: (values: Values) => Values
  Fields: ComponentType<{ form: UseFormReturnType<Values> }>
}

const withoutSpaces = (text = '') => text.replace(/[\s-]/g, '')

/** Requires the account number twice, because money sent to a wrong account is lost. */
const isSameAccount = (again: string, { account }: Values) =>
  withoutSpaces(again) === withoutSpaces(account) ? null : 'The account numbers do not match.'

const number = { inputMode: 'numeric', autoComplete: 'off', required: true, spellCheck: false } as const
const plain = { autoComplete: 'off', required: true, spellCheck: false } as const

export const KindOfAccount: DepositFields['Fields'] = ({ form }) => (
  <NativeSelect
    label="Account type"
    data={[
      { value: 'CHECKING', label: 'Checking' },
      { value: 'SAVINGS', label: 'Savings' },
      { value: 'BUSINESS', label: 'Business' },
    ]}
    {...form.getInputProps('type')}
  />
)

const bank: DepositFields = {
  initialValues: { routing: '', account: '', account_again: '', type: 'CHECKING' },
  validate: {
    routing: isGiven('Enter the routing number.'),
    account: isGiven('Enter the account number.'),
    account_again: isSameAccount,
  },
  bodyOf: ({ routing, account, type = '' }) => ({
    routing: withoutSpaces(routing),
    account: withoutSpaces(account),
    type,
  }),
  Fields: ({ form }) => (
    <>
      <RoutingNumberField
        description="Nine digits, at the bottom left of your checks"
        {...number}
        {...form.getInputProps('routing')}
      />
      <TextInput label="Account number" {...number} {...form.getInputProps('account')} />
      <TextInput label="Confirm account number" {...number} {...form.getInputProps('account_again')} />
      <KindOfAccount form={form} />
    </>
  ),
}

/** Turns `07/29` or `07/2029` into `2029-07`. Other texts stay unchanged, and the service validates them. */
function monthOf(text = ''): string {
  const [, month, year] = /^(\d{1,2})\s*[/-]\s*(?:20)?(\d{2})$/.exec(text.trim()) ?? []
  return month && year ? `20${year}-${month.padStart(2, '0')}` : text.trim()
}

const card: DepositFields = {
  initialValues: { card_number: '', expiration_date: '', name: '' },
  validate: {
    card_number: isGiven('Enter the card number.'),
    expiration_date: (value) =>
      /^\d{4}-\d{2}$/.test(monthOf(value)) ? null : 'Enter the month and year on the card, such as 07/29.',
    name: isGiven('Enter the name on the card.'),
  },
  bodyOf: ({ card_number, expiration_date, name = '' }) => ({
    card_number: withoutSpaces(card_number),
    expiration_date: monthOf(expiration_date),
    name: name.trim(),
  }),
  Fields: ({ form }) => (
    <>
      <TextInput
        label="Card number"
        description="Debit cards only. Credit cards can’t receive payments"
        {...number}
        autoComplete="cc-number"
        {...form.getInputProps('card_number')}
      />
      <TextInput
        label="Expires"
        placeholder="MM/YY"
        {...number}
        inputMode="text"
        autoComplete="cc-exp"
        {...form.getInputProps('expiration_date')}
      />
      <TextInput label="Name on the card" required autoComplete="cc-name" {...form.getInputProps('name')} />
    </>
  ),
}

const contact = (label: string): DepositFields => ({
  initialValues: { username: '' },
  validate: { username: isGiven('Enter the email or phone.') },
  bodyOf: ({ username = '' }) => ({ username: username.trim() }),
  Fields: ({ form }) => <TextInput label={label} {...plain} autoComplete="email" {...form.getInputProps('username')} />,
})

const wire: DepositFields = {
  initialValues: {
    ...{ name: '', line_1: '', city: '', zip: '', holder_country: '' },
    ...{ country: 'US', routing: '', account: '', account_again: '', type: 'CHECKING' },
  },
  validate: {
    name: isGiven('Enter the account holder’s name.'),
    country: isGiven('Enter the country of the bank.'),
    routing: isGiven('Enter the routing number or BIC.'),
    account: isGiven('Enter the account number or IBAN.'),
    account_again: isSameAccount,
  },
  bodyOf: ({
    name = '',
    country,
    routing,
    account,
    type = '',
    line_1 = '',
    city = '',
    zip = '',
    holder_country = '',
  }) => ({
    name: name.trim(),
    type,
    ...(line_1.trim() && { line_1 }),
    ...(city.trim() && { city }),
    ...(zip.trim() && { zip }),
    ...(holder_country.trim() && { holder_country: withoutSpaces(holder_country).toUpperCase() }),
    country: withoutSpaces(country).toUpperCase(),
    routing: withoutSpaces(routing).toUpperCase(),
    account: withoutSpaces(account),
  }),
  Fields: ({ form }) => (
    <>
      <TextInput label="Account holder" required autoComplete="name" {...form.getInputProps('name')} />
      <TextInput label="Street" autoComplete="address-line1" {...form.getInputProps('line_1')} />
      <Group grow align="flex-start" gap="sm">
        <TextInput label="City" autoComplete="address-level2" {...form.getInputProps('city')} />
        <TextInput label="Postal code" autoComplete="postal-code" {...form.getInputProps('zip')} />
      </Group>
      <TextInput
        label="Country of the holder, if different (two letters)"
        maxLength={2}
        autoComplete="off"
        {...form.getInputProps('holder_country')}
      />
      <TextInput
        label="Country of the bank"
        description="Two letters, such as US or DE"
        required
        autoComplete="country"
        maxLength={2}
        {...form.getInputProps('country')}
      />
      <TextInput label="Routing number or BIC" {...plain} {...form.getInputProps('routing')} />
      <TextInput label="Account number or IBAN" {...plain} {...form.getInputProps('account')} />
      <TextInput label="Confirm account number or IBAN" {...plain} {...form.getInputProps('account_again')} />
      <KindOfAccount form={form} />
    </>
  ),
}

const mail: DepositFields = {
  initialValues: { line_1: '', line_2: '', city: '', state: '', zip: '' },
  validate: {
    line_1: isGiven('Enter the street address.'),
    city: isGiven('Enter the city.'),
    state: isGiven('Enter the state.'),
    zip: isGiven('Enter the ZIP code.'),
  },
  bodyOf: ({ line_2 = '', ...rest }) => ({ ...rest, ...(line_2.trim() && { line_2 }) }),
  Fields: ({ form }) => (
    <>
      <TextInput label="Street" required autoComplete="address-line1" {...form.getInputProps('line_1')} />
      <TextInput label="Apartment (optional)" autoComplete="address-line2" {...form.getInputProps('line_2')} />
      <TextInput label="City" required autoComplete="address-level2" {...form.getInputProps('city')} />
      <Group grow align="flex-start" gap="sm">
        <TextInput label="State" required autoComplete="address-level1" {...form.getInputProps('state')} />
        <TextInput label="ZIP code" required autoComplete="postal-code" {...form.getInputProps('zip')} />
      </Group>
    </>
  ),
}

export const depositFields: Record<Exclude<DepositOption, 'PRINT'>, DepositFields> = {
  BANK: bank,
  CARD: card,
  PAYPAL: contact('Email or phone of your PayPal account'),
  VENMO: contact('Email or phone of your Venmo account'),
  INTERAC: contact('Email or phone for Interac e-Transfer'),
  WIRE: wire,
  MAIL: mail,
}
