import { Text, VisuallyHidden } from '@mantine/core'
import { IconCircle, IconCircleCheckFilled } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { RouterAnchor } from '../../layout/router-anchor.tsx'
import { Section } from '../../layout/section.tsx'
import { useMay } from '../../permission.ts'
import { useServiceContext } from '../../service-context.ts'
import { banksQuery } from '../accounts/account-queries.ts'
import classes from './home.module.css'
import { deliveredQuery, hasUsersQuery, recentQuery } from './home-queries.ts'

type Step = { name: string; how: ReactNode; isDone: boolean | undefined }

/** The first steps of a newcomer. Each ticks itself off, and the list goes away when all are done. */
export function Checklist() {
  const steps = useSteps()
  const done = steps.filter(({ isDone }) => isDone).length
  if (steps.some(({ isDone }) => isDone === undefined) || done === steps.length) return null
  return (
    <Section title="Get started" about={`${done} of ${steps.length} done`}>
      <ol className={classes.steps}>
        {steps.map(({ name, how, isDone }) => (
          <li key={name} data-done={isDone}>
            {isDone ? (
              <IconCircleCheckFilled size={20} aria-hidden />
            ) : (
              <IconCircle size={20} stroke={1.5} aria-hidden />
            )}
            <Text>
              {name}
              {isDone && <VisuallyHidden>, done</VisuallyHidden>}
            </Text>
            {!isDone && <Text className={classes.how}>{how}</Text>}
          </li>
        ))}
      </ol>
    </Section>
  )
}

/** The steps that the role can take. A step is undefined until it is known. */
function useSteps(): Step[] {
  const isPayee = useServiceContext().owner?.is_payee === true
  const may = {
    accounts: useMay('accounts'),
    send: useMay('send') && !isPayee,
    developers: useMay('developers') && !isPayee,
    users: useMay('users') && !isPayee,
  }
  const banks = useQuery({ ...banksQuery, enabled: may.accounts }).data
  const payments = useQuery({ ...recentQuery(undefined), enabled: may.send }).data?.payments
  const isDelivered = useQuery({ ...deliveredQuery, enabled: may.developers }).data
  const hasUsers = useQuery({ ...hasUsersQuery, enabled: may.users }).data
  const steps: (Step & { isOffered: boolean })[] = [
    {
      name: 'Add a bank account',
      how: <RouterAnchor to="/accounts">Add it</RouterAnchor>,
      isDone: banks && banks.length > 0,
      isOffered: may.accounts,
    },
    {
      name: 'Verify it',
      how: <RouterAnchor to="/accounts">Confirm the two micro-deposits</RouterAnchor>,
      isDone: banks?.some(({ status }) => status === 'VERIFIED'),
      isOffered: may.accounts && !isPayee, // needed to send only
    },
    {
      name: 'Send a test check',
      how: <RouterAnchor to="/send">Send it</RouterAnchor>,
      isDone: payments?.some(({ direction }) => direction === 'OUTGOING'),
      isOffered: may.send,
    },
    {
      name: 'Receive a webhook',
      how: <RouterAnchor to="/settings/webhooks">Add an endpoint</RouterAnchor>,
      isDone: isDelivered,
      isOffered: may.developers,
    },
    {
      name: 'Create a user',
      how: (
        <RouterAnchor to="/users" search={{ q: undefined }}>
          Create one
        </RouterAnchor>
      ),
      isDone: hasUsers,
      isOffered: may.users,
    },
  ]
  return steps.filter(({ isOffered }) => isOffered)
}
