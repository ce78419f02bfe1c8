import { SimpleGrid, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { Payee } from '../../answers.ts'
import { isGiven } from '../../form/form-rules.ts'
import { ServiceForm } from '../../form/service-form.tsx'

type Fields = {
  name: string
  email: string
  address: { line_1: string; line_2: string; city: string; state: string; zip: string }
}

export type PayeeBody = {
  name: string
  email: string | null
  address: { line_1: string; line_2?: string; city: string; state: string; zip: string; country: string } | null
}

type Props<Answer> = {
  payee?: Pick<Payee, 'name' | 'email' | 'address'>
  submit: string
  send: (body: PayeeBody) => Promise<Answer>
  onDone: (answer: Answer) => unknown
}

/** The name, email and address of a payee. */
export function PayeeForm<Answer>({ payee, submit, send, onDone }: Props<Answer>) {
  const { line_1, line_2, city, state, zip } = payee?.address ?? {}
  const form = useForm<Fields>({
    initialValues: {
      name: payee?.name ?? '',
      email: payee?.email ?? '',
      address: { line_1: line_1 ?? '', line_2: line_2 ?? '', city: city ?? '', state: state ?? '', zip: zip ?? '' },
    },
    validate: { name: isGiven('Enter the name of the payee.') },
  })
  return (
    <ServiceForm form={form} send={(fields) => send(bodyOf(fields))} onDone={onDone} submit={submit}>
      <TextInput label="Name" autoComplete="off" {...form.getInputProps('name')} />
      <TextInput
        label="Email"
        description="Optional. The payee gets mail about payments"
        type="email"
        autoComplete="off"
        {...form.getInputProps('email')}
      />
      <TextInput
        label="Street"
        description="Optional. For paper checks"
        autoComplete="off"
        {...form.getInputProps('address.line_1')}
      />
      <TextInput label="Apartment or suite" autoComplete="off" {...form.getInputProps('address.line_2')} />
      <SimpleGrid cols={{ base: 1, sm: 3 }} spacing="md">
        <TextInput label="City" autoComplete="off" {...form.getInputProps('address.city')} />
        <TextInput label="State" autoComplete="off" {...form.getInputProps('address.state')} />
        <TextInput label="ZIP code" autoComplete="off" {...form.getInputProps('address.zip')} />
      </SimpleGrid>
    </ServiceForm>
  )
}

function bodyOf({ name, email, address }: Fields): PayeeBody {
  const { line_2, ...lines } = address
  const hasAddress = Object.values(address).some((line) => line.trim() !== '')
  return {
    name: name.trim(),
    email: email.trim() || null,
    address: hasAddress ? { ...lines, ...(line_2.trim() !== '' && { line_2 }), country: 'US' } : null,
  }
}
