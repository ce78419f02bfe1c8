import { NativeSelect, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import type { PayerInstitution, SignInResult } from '../answers.ts'
import { useServiceContext } from '../service-context.ts'
import { isGiven } from './form-rules.ts'
import { PasswordField } from './password-field.tsx'
import { ServiceForm } from './service-form.tsx'

export type Institution = PayerInstitution
type Field = Institution['form'][number]
type Values = Record<string, string>
export type ConfirmedAccount = SignInResult['accounts'][number]

/** Guesses the type of an account from its name. The person can correct it. */
export const guessAccountType = (account: ConfirmedAccount | undefined): 'CHECKING' | 'SAVINGS' =>
  /saving/i.test(account?.name ?? '') ? 'SAVINGS' : 'CHECKING'

type ChosenProps = { accounts: ConfirmedAccount[]; value: string; onChange: (index: string) => void }

/** Chooses one of the accounts that the institution returned. */
export const ConfirmedAccountField = ({ accounts, value, onChange }: ChosenProps) => (
  <NativeSelect
    label="Account"
    data={accounts.map(({ name, account }, index) => ({
      value: String(index),
      label: `${name} •••• ${account.slice(-4)}`,
    }))}
    value={value}
    onChange={({ currentTarget }) => onChange(currentTarget.value)}
  />
)

type Props = {
  institutions: Institution[]
  /** Signs in at an institution, or answers its question. */
  signIn: (place: { institution_id: string } | { mfa_id: string }, values: Values) => Promise<SignInResult>
  onConfirmed: (accounts: ConfirmedAccount[]) => void
}

/** Signs a person in at an institution, and shows the institution's further questions. */
export function InstitutionSignIn({ institutions, signIn, onConfirmed }: Props) {
  const { environment } = useServiceContext()
  const [institutionId, setInstitutionId] = useState<string | null>(null)
  const [result, setResult] = useState<SignInResult | null>(null)
  const show = (answer: SignInResult) => {
    if (!answer.mfa && answer.accounts.length > 0) onConfirmed(answer.accounts)
    else setResult(answer)
  }
  if (result?.mfa) {
    const { id, form } = result.mfa
    return <Fields key={id} fields={form} send={(values) => signIn({ mfa_id: id }, values)} onDone={show} />
  }
  const chosen = institutions.find(({ id }) => id === institutionId) ?? (institutions[0] as Institution)
  return (
    <>
      {result && <Text role="alert">No account was found there. Use another bank.</Text>}
      <NativeSelect
        label="Bank"
        data={institutions.map(({ id, name }) => ({ value: id, label: name }))}
        value={chosen.id}
        onChange={({ currentTarget }) => setInstitutionId(currentTarget.value)}
      />
      {environment !== 'production' && <Text c="dimmed">Simulated: use user_good with the password pass_good.</Text>}
      <Fields
        key={chosen.id}
        fields={chosen.form}
        send={(values) => signIn({ institution_id: chosen.id }, values)}
        onDone={show}
      />
    </>
  )
}

type FieldsProps = {
  fields: Field[]
  send: (values: Values) => Promise<SignInResult>
  onDone: (result: SignInResult) => void
}

function Fields({ fields, send, onDone }: FieldsProps) {
  const form = useForm<Values>({
    initialValues: Object.fromEntries(fields.map(({ name, options }) => [name, options[0] ?? ''])),
    validate: Object.fromEntries(fields.map(({ name }) => [name, isGiven('Fill in this field.')])),
  })
  return (
    <ServiceForm form={form} send={send} onDone={onDone} submit="Sign in" fullWidth>
      {fields.map((field) => (
        <InstitutionField key={field.name} field={field} input={form.getInputProps(field.name)} />
      ))}
    </ServiceForm>
  )
}

function InstitutionField({ field, input }: { field: Field; input: object }) {
  const label = field.description ?? labelOf(field.name)
  const common = { label, autoComplete: 'off' as const, required: true, ...input }
  if (field.type === 'OPTION') return <NativeSelect data={field.options} {...common} />
  return field.type === 'PASSWORD' ? <PasswordField {...common} /> : <TextInput spellCheck={false} {...common} />
}

/** Turns `member_number` into “Member number”. */
const labelOf = (name: string) => (name.charAt(0).toUpperCase() + name.slice(1)).replaceAll('_', ' ')
