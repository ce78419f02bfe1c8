import { NativeSelect, PasswordInput, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { PayerInstitution, SignInResult } from '../../answers.ts'
import { api } from '../../api.ts'
import { isGiven } from '../../form/form-rules.ts'
import { ServiceForm } from '../../form/service-form.tsx'
import { useServiceContext } from '../../service-context.ts'
import { Loaded } from '../../shown/loaded.tsx'
import { ConfirmedAccountForm, type StepProps } from './account-step.tsx'

type Field = PayerInstitution['form'][number]

/** Signing in at an institution, with the questions that it asks. Then one of the accounts is chosen. */
export function InstitutionForm(props: StepProps) {
  const { token } = props
  const { environment } = useServiceContext()
  const [institutionId, setInstitutionId] = useState<string | null>(null)
  const [result, setResult] = useState<SignInResult | null>(null)
  const institutions = useQuery({
    queryKey: ['payer-institutions', token],
    queryFn: () => api.payerInstitutions(token),
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (result?.mfa) {
    const { id, form } = result.mfa
    return (
      <Fields
        key={id}
        fields={form}
        send={(values) => api.signInToPay({ token, mfa_id: id, values })}
        onDone={setResult}
      />
    )
  }
  if (result && result.accounts.length > 0) return <ConfirmedAccountForm {...props} accounts={result.accounts} />
  return (
    <Loaded query={institutions}>
      {(all) => {
        const chosen = all.find(({ id }) => id === institutionId) ?? (all[0] as PayerInstitution)
        return (
          <>
            {result && <Text role="alert">No account was found there. Use another bank.</Text>}
            <NativeSelect
              label="Bank"
              size="md"
              data={all.map(({ id, name }) => ({ value: id, label: name }))}
              value={chosen.id}
              onChange={({ currentTarget }) => setInstitutionId(currentTarget.value)}
            />
            {environment !== 'production' && (
              <Text c="dimmed">Simulated: use user_good with the password pass_good.</Text>
            )}
            <Fields
              key={chosen.id}
              fields={chosen.form}
              send={(values) => api.signInToPay({ token, institution_id: chosen.id, values })}
              onDone={setResult}
            />
          </>
        )
      }}
    </Loaded>
  )
}

function Fields({
  fields,
  send,
  onDone,
}: {
  fields: Field[]
  send: (values: Record<string, string>) => Promise<SignInResult>
  onDone: (result: SignInResult) => void
}) {
  const form = useForm<Record<string, string>>({
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
  const common = { label, autoComplete: 'off', required: true, ...input }
  if (field.type === 'OPTION') return <NativeSelect size="md" data={field.options} {...common} />
  return field.type === 'PASSWORD' ? <PasswordInput {...common} /> : <TextInput spellCheck={false} {...common} />
}

/** `member_number` is “Member number”. */
const labelOf = (name: string) => (name.charAt(0).toUpperCase() + name.slice(1)).replaceAll('_', ' ')
