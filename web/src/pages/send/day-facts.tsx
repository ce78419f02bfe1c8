import { useQuery } from '@tanstack/react-query'
import type { PaymentDays, Rail } from '../../answers.ts'
import { Fact } from '../../shown/facts.tsx'
import { Day } from '../../shown/moment.tsx'
import { walletsQuery } from '../accounts/account-queries.ts'
import { payeeQuery } from '../payees/payee-queries.ts'
import { paymentDaysQuery } from './payment-days-query.ts'
import type { SendFields } from './send-order.ts'

/** The days on which the money leaves the account and should arrive. */
export function DayFacts({ fields }: { fields: SendFields }) {
  const { data: from } = useQuery(paymentDaysQuery)
  const { data: wallets } = useQuery(walletsQuery)
  const rail = useRail(fields)
  if (!from || !wallets || rail === undefined) return null
  const account = wallets.some(({ id }) => id === fields.account) ? 'wallet' : 'bank'
  const days = from.find((one) => one.account === account) as PaymentDays
  const arrival = days.arrives.find((one) => one.rail === rail)
  if (!arrival) {
    return (
      <Fact label="Leaves your account">
        When the payee has chosen how to be paid. A bank transfer chosen today should arrive on{' '}
        <Day date={dayOf(days, 'ACH')} />.
      </Fact>
    )
  }
  return (
    <>
      <Fact label="Leaves your account">
        <Day date={days.debited} />
      </Fact>
      <Fact label="Should arrive">
        <Day date={arrival.day} />
      </Fact>
    </>
  )
}

const dayOf = ({ arrives }: PaymentDays, rail: Rail): string => arrives.find((one) => one.rail === rail)?.day as string

/** Returns the rail of a payment, null if the payee will choose it, or undefined until the payee is loaded. */
function useRail({ kind, payee: id, payee_account }: SendFields): Rail | null | undefined {
  const { data: payee, isLoading } = useQuery({ ...payeeQuery(id), enabled: id !== '' })
  if (isLoading) return undefined
  if (kind === 'PHYSICAL') return 'MAIL'
  const account = payee?.accounts.find((one) => one.id === payee_account)
  if (kind === 'MULTI' || !account) return null
  return account.type === 'CARD' ? 'INSTANT' : 'ACH'
}
