import { TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { Payee } from '../../answers.ts'
import { AddressFields, type AddressLines, addressBody, addressLines } from '../../form/address-fields.tsx'
import { isGiven } from '../../form/form-rules.ts'
import { ServiceForm } from '../../form/service-form.tsx'

type Fields = {
  name: string
  email: string
  address: AddressLines
}

export type PayeeBody = {
  name: string
  email: string | null
  address: ReturnType<typeof addressBody> | null
}

type Props<Answer> = {
  payee?: Pick<Payee, 'name' | 'email' | 'address'>
  submit: string
  send: (body: PayeeBody) => Promise<Answer>
  onDone: (answer: Answer) => unknown
}

/** The name, email and address of a payee. */
export function PayeeForm<Answer>({ payee, submit, send, onDone }: Props<Answer>) {
  const form = useForm<Fields>({
    initialValues: {
      name: payee?.name ?? '',
      email: payee?.email ?? '',
      address: addressLines(payee?.address),
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
      <AddressFields form={form} description="Optional. For paper checks" />
    </ServiceForm>
  )
}

function bodyOf({ name, email, address }: Fields): PayeeBody {
  const hasAddress = Object.values(address).some((line) => line.trim() !== '')
  return {
    name: name.trim(),
    email: email.trim() || null,
    address: hasAddress ? addressBody(address) : null,
  }
}
