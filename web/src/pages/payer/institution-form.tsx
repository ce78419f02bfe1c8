import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api.ts'
import { type ConfirmedAccount, InstitutionSignIn } from '../../form/institution-sign-in.tsx'
import { Loaded } from '../../shown/loaded.tsx'
import { ConfirmedAccountForm, type StepProps } from './account-step.tsx'

/** Signing in at an institution. Then one of the accounts is chosen. */
export function InstitutionForm(props: StepProps) {
  const { token } = props
  const [accounts, setAccounts] = useState<ConfirmedAccount[] | null>(null)
  const institutions = useQuery({
    queryKey: ['payer-institutions', token],
    queryFn: () => api.payerInstitutions(token),
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (accounts) return <ConfirmedAccountForm {...props} accounts={accounts} />
  return (
    <Loaded query={institutions}>
      {(all) => (
        <InstitutionSignIn
          institutions={all}
          signIn={(place, values) => api.signInToPay({ token, ...place, values })}
          onConfirmed={setAccounts}
        />
      )}
    </Loaded>
  )
}
