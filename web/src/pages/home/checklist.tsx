import { Button, Text, VisuallyHidden } from '@mantine/core'
import { IconCircle, IconCircleCheckFilled } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense, useRef, useState } from 'react'
import type { Bank } from '../../answers.ts'
import { api } from '../../api.ts'
import { errorText } from '../../form/field-errors.ts'
import { useSending } from '../../form/use-sending.ts'
import { WorkingButton } from '../../form/working-button.tsx'
import { focusHeading } from '../../layout/page-heading.tsx'
import { RouterButton } from '../../layout/router-button.tsx'
import { Section } from '../../layout/section.tsx'
import { useMay } from '../../permission.ts'
import { useServiceContext } from '../../service-context.ts'
import { notify } from '../../shown/notify.ts'
import { banksQuery } from '../accounts/account-queries.ts'
import classes from './home.module.css'
import { deliveredQuery, hasUsersQuery, recentQuery } from './home-queries.ts'
import type { OpenStep } from './step-dialog.tsx'

/** The dialog of a step. The forms load when the first dialog is opened. */
const StepDialog = lazy(() => import('./step-dialog.tsx'))

type Step = { name: string; how: (variant: 'filled' | 'default') => ReactNode; isDone: boolean | undefined }

/** The first steps of a newcomer, each with its form. A finished step is checked, and the list disappears when all are done. */
export function Checklist() {
  const [open, setOpen] = useState<OpenStep | null>(null)
  const [isOpen, setIsOpen] = useState(false)
  const list = useRef<HTMLOListElement>(null)
  const steps = useSteps((step) => {
    setOpen(step)
    setIsOpen(true)
  })
  const done = steps.filter(({ isDone }) => isDone).length
  const isShown = done < steps.length && steps.every(({ isDone }) => isDone !== undefined)
  /** Focuses the button of the next step, because a finished step has no button. Delayed, because the dialog moves the focus first. */
  const restoreFocus = () =>
    void setTimeout(() => {
      if (document.activeElement !== document.body) return
      const next = list.current?.querySelector<HTMLElement>('button, a')
      if (next) next.focus()
      else focusHeading()
    }, 50)
  return (
    <>
      {isShown && (
        <Section title="Get started" about={`${done} of ${steps.length} done`}>
          <div className={classes.progress} aria-hidden>
            <span style={{ width: `${(100 * done) / steps.length}%` }} />
          </div>
          <ol ref={list} className={classes.steps}>
            {steps.map((step) => (
              <StepItem key={step.name} step={step} isNext={step === steps.find(({ isDone }) => !isDone)} />
            ))}
          </ol>
        </Section>
      )}
      {open && (
        <Suspense fallback={null}>
          <StepDialog open={open} isOpen={isOpen} onClose={() => setIsOpen(false)} onExited={restoreFocus} />
        </Suspense>
      )}
    </>
  )
}

const StepItem = ({ step: { name, how, isDone }, isNext }: { step: Step; isNext: boolean }) => (
  <li data-done={isDone}>
    <Text component="span" className={classes.name}>
      {isDone ? <IconCircleCheckFilled size={20} aria-hidden /> : <IconCircle size={20} stroke={1.5} aria-hidden />}
      {name}
      {isDone && <VisuallyHidden>, done</VisuallyHidden>}
    </Text>
    {!isDone && <div className={classes.how}>{how(isNext ? 'filled' : 'default')}</div>}
  </li>
)

/** The steps that the role can take. `isDone` is undefined until it is loaded. */
function useSteps(openStep: (step: OpenStep) => void): Step[] {
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
  const opens = (label: string, step: OpenStep) => (variant: 'filled' | 'default') => (
    <Button size="compact-sm" variant={variant} onClick={() => openStep(step)}>
      {label}
    </Button>
  )
  const steps: (Step & { isOffered: boolean })[] = [
    {
      name: 'Add a bank account',
      how: opens('Add bank', { step: 'bank' }),
      isDone: banks && banks.length > 0,
      isOffered: may.accounts,
    },
    {
      name: 'Verify it',
      how: (variant) =>
        banks?.[0] && (
          <VerifyButton bank={banks[0]} variant={variant} onReleased={(bank) => openStep({ step: 'verify', bank })} />
        ),
      isDone: banks?.some(({ status }) => status === 'VERIFIED'),
      isOffered: may.accounts && !isPayee, // only senders need this step
    },
    {
      name: 'Send a test payment',
      how: (variant) => (
        <RouterButton to="/send" size="compact-sm" variant={variant}>
          Send payment
        </RouterButton>
      ),
      isDone: payments?.some(({ direction }) => direction === 'OUTGOING'),
      isOffered: may.send,
    },
    {
      name: 'Receive a webhook',
      how: opens('Add endpoint', { step: 'webhook' }),
      isDone: isDelivered,
      isOffered: may.developers,
    },
    {
      name: 'Create a user',
      how: opens('Create user', { step: 'user' }),
      isDone: hasUsers,
      isOffered: may.users,
    },
  ]
  return steps.filter(({ isOffered }) => isOffered)
}

type VerifyProps = { bank: Bank; variant: 'filled' | 'default'; onReleased: (bank: Bank) => void }

/** Verifies the bank. Sends the two micro-deposits first, if they were not sent. Only in production do they take days. */
function VerifyButton({ bank, variant, onReleased }: VerifyProps) {
  const queryClient = useQueryClient()
  const { environment } = useServiceContext()
  const releasing = useSending({
    mutationFn: () => api.releaseBank(bank.id),
    onSuccess: async () => {
      await queryClient.invalidateQueries(banksQuery)
      if (environment === 'production') notify('Two deposits are on their way. They arrive within two banking days')
      else onReleased(bank)
    },
    onError: (error) => notify(errorText(error)),
  })
  const isReleased = bank.status === 'PENDING'
  return (
    <WorkingButton
      size="compact-sm"
      variant={variant}
      working={releasing.isPending}
      onClick={() => (isReleased ? onReleased(bank) : releasing.mutate())}
    >
      {isReleased ? 'Enter amounts' : 'Verify'}
    </WorkingButton>
  )
}
