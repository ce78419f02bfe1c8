import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { ApprovalPolicy, FoundPayment } from '../../answers.ts'
import { api } from '../../api.ts'
import { ErrorAlert } from '../../error-display.tsx'
import { errorText } from '../../form/field-errors.ts'
import { isUnknown } from '../../form/once.ts'
import { useSending } from '../../form/use-sending.ts'
import { WorkingButton } from '../../form/working-button.tsx'
import { RouterAnchor } from '../../layout/router-anchor.tsx'
import { Section } from '../../layout/section.tsx'
import { useMay } from '../../permission.ts'
import { dollars } from '../../shown/dollars.ts'
import { Fact, Facts } from '../../shown/facts.tsx'
import { Loading } from '../../shown/loaded.tsx'
import { notify } from '../../shown/notify.ts'
import { walletsQuery } from '../accounts/account-queries.ts'
import { useAccountName } from '../accounts/use-account-name.ts'
import { policyQuery } from '../approvals/approval-queries.ts'
import { ChangedPayeeAlert } from '../payees/changed-payee-alert.tsx'
import { payeeQuery, refreshPayees } from '../payees/payee-queries.ts'
import { noFilters } from '../payments/payment-filters.ts'
import { DayFacts } from './day-facts.tsx'
import { EqualPaymentAlert, useEqualPayment } from './equal-payment-alert.tsx'
import { PayeeAccountName } from './payee-fields.tsx'
import { paymentDaysQuery } from './payment-days-query.ts'
import { repeatWords } from './repeat-fields.tsx'
import classes from './send.module.css'
import { makeOnce, type Sent } from './send-once.ts'
import { buildOrder, checkName, isNow, mailTypes, payeeBody, type SendFields } from './send-order.ts'

type Props = {
  fields: SendFields
  image: string | null
  /** Whether the payment was sent before the page was left, and its outcome is unknown. */
  isUnresolved: boolean
  onBack: () => void
  onSent: (sent: Sent) => void
  onStartOver: () => void
}

/**
 * The second step: the payment in words and as a check, then the confirmation. It is shown when all is loaded that decides what its
 * button does and where it is, and what the person is warned of.
 */
export function ReviewStep(props: Props) {
  const { fields } = props
  const { body } = buildOrder(fields)
  const policy = useQuery({ ...policyQuery, enabled: useMay('read') })
  const payee = useQuery({ ...payeeQuery(fields.payee), enabled: fields.payee !== '' })
  const equal = useEqualPayment({ name: checkName(fields), recipient: recipientOf(fields), amount: body.amount })
  const days = useQuery({ ...paymentDaysQuery, enabled: isNow(fields) })
  const wallets = useQuery(walletsQuery)
  if ([policy, payee, equal, days, wallets].some(({ isLoading }) => isLoading)) return <Loading />
  return <Review {...props} policy={policy.data} equal={equal.payment} />
}

type ReviewProps = Props & { policy: ApprovalPolicy | undefined; equal: FoundPayment | undefined }

function Review({ fields, image, isUnresolved, onBack, onSent, onStartOver, policy, equal }: ReviewProps) {
  const [isUnsure, setUnsure] = useState(isUnresolved)
  const order = buildOrder(fields)
  const amount = dollars(order.body.amount)
  const maySend = useMay('send')
  const isRequest = isNow(fields) && (!maySend || (policy !== undefined && needsApproval(policy, order.body.amount)))
  const queryClient = useQueryClient()
  const [isIntended, setIntended] = useState(false)
  const sending = useSending({
    mutationFn: () => makeOnce(fields, maySend, () => setUnsure(true)),
    onSuccess: async (sent) => {
      await savePayee(queryClient, fields)
      onSent(sent)
    },
    onError: (error) => setUnsure(isUnknown(error)),
  })
  const isOutcomeUnknown = isUnsure && !sending.isPending
  const words = !isNow(fields)
    ? fields.interval === 'ONCE'
      ? 'Schedule payment'
      : 'Set up the payment'
    : isRequest
      ? `Request approval of ${amount}`
      : `Send ${amount}`
  return (
    <div className={classes.step}>
      <Section title={`${amount} to ${checkName(fields)}`}>
        <Stack gap="lg">
          {sending.error && !isOutcomeUnknown && <ErrorAlert>{errorText(sending.error)}</ErrorAlert>}
          {isOutcomeUnknown && <UnresolvedAlert error={sending.error} />}
          <OrderFacts fields={fields} amount={amount} />
          {image !== null && (
            <img className={classes.check} src={`data:image/png;base64,${image}`} alt={`The check for ${amount}`} />
          )}
          <ChangedPayeeAlert id={fields.payee} />
          {equal && !sending.isPending && !isUnsure && (
            <EqualPaymentAlert payment={equal} isIntended={isIntended} onChange={setIntended} />
          )}
          <Group gap="sm">
            <WorkingButton
              working={sending.isPending}
              disabled={equal !== undefined && !isIntended && !isUnsure}
              onClick={() => sending.mutate()}
            >
              {isOutcomeUnknown ? 'Check what happened' : words}
            </WorkingButton>
            <Button variant="default" onClick={isOutcomeUnknown ? onStartOver : onBack} disabled={sending.isPending}>
              {isOutcomeUnknown ? 'Start over' : 'Change'}
            </Button>
          </Group>
          {isRequest && policy && <Text c="dimmed">{approverWords(policy)}</Text>}
          <Text role="status" c="dimmed">
            {isUnsure && sending.isPending && 'Checking whether the payment was made…'}
          </Text>
        </Stack>
      </Section>
    </div>
  )
}

/** Saves the payee. A failure is only reported, because the payment has already been made. */
async function savePayee(queryClient: QueryClient, fields: SendFields): Promise<void> {
  const payee = fields.saves_payee ? payeeBody(fields) : null
  if (payee)
    await api.savePayee(payee).catch((error: unknown) => notify(`The payee was not saved. ${errorText(error)}`))
  await refreshPayees(queryClient)
}

const OrderFacts = ({ fields, amount }: { fields: SendFields; amount: string }) => (
  <Facts>
    <Fact label="To">
      <Payees fields={fields} />
    </Fact>
    <Fact label="From">
      <AccountName id={fields.account} />
    </Fact>
    <Fact label="Amount">{amount}</Fact>
    {isNow(fields) ? <DayFacts fields={fields} /> : <Fact label="When">{repeatWords(fields)}</Fact>}
    {fields.kind === 'PHYSICAL' && isNow(fields) && (
      <Fact label="Mail">{mailTypes[fields.mail_type as keyof typeof mailTypes]}</Fact>
    )}
    {fields.description.trim() !== '' && <Fact label="Description">{fields.description}</Fact>}
    {isNow(fields) && fields.attachment && <Fact label="Attachment">{fields.attachment.filename}</Fact>}
    {fields.remittance_advice.length > 0 && (
      <Fact label="Invoices">{fields.remittance_advice.map(({ id }) => id.trim()).join(', ')}</Fact>
    )}
  </Facts>
)

/** Returns the recipient as former payments name it. Empty if former payments are found only by the name. */
const recipientOf = ({ kind, payee_account, recipient }: SendFields): string =>
  kind === 'DIGITAL' && payee_account === '' ? recipient : ''

/** Returns whether the policy requires an approval for every payment of this amount. Rules about payees and rails are not considered. */
const needsApproval = ({ dual_control, rules }: ApprovalPolicy, amount: number): boolean =>
  dual_control ||
  rules.some(
    (rule) =>
      rule.approvals > 0 &&
      rule.min_amount <= amount &&
      !rule.new_payee &&
      rule.rail === null &&
      (rule.source === null || rule.source === 'WEB'),
  )

const NAMED_APPROVERS = 3

function approverWords({ people: { others } }: ApprovalPolicy): string {
  if (others.length === 0) return 'Nobody else can approve it yet. Invite a person under Settings, Team.'
  const names = others.slice(0, NAMED_APPROVERS)
  const more = others.length - names.length
  const all = more > 0 ? [...names, more === 1 ? 'one more person' : `${more} more people`] : names
  return `${new Intl.ListFormat('en', { type: 'disjunction' }).format(all)} can approve it. Nothing is sent before.`
}

const UnresolvedAlert = ({ error }: { error: Error | null }) => (
  <Alert variant="default" icon={<IconAlertTriangle aria-hidden />} title="We don’t know whether this was made">
    {error ? errorText(error) : 'The answer was lost. Ask again: it is made only once.'} Before you start over, look for
    it in{' '}
    <RouterAnchor to="/payments" search={noFilters}>
      your payments
    </RouterAnchor>
    .
  </Alert>
)

function Payees({ fields }: { fields: SendFields }) {
  if (fields.kind === 'MULTI') {
    return fields.recipients.map(({ key, name, recipient, role }) => (
      <div key={key}>
        {name} ({recipient}){role === 'endorse' && ', only endorses'}
      </div>
    ))
  }
  return fields.kind === 'DIGITAL' && fields.payee_account !== '' ? (
    <PayeeAccountName fields={fields} />
  ) : (
    recipientText(fields)
  )
}

function recipientText({ kind, recipient, address }: SendFields): string {
  if (kind === 'DIGITAL') return recipient
  const { line_1, line_2, city, state, zip } = address
  return [line_1, line_2, `${city}, ${state} ${zip}`].filter((line) => line.trim() !== '').join(', ')
}

function AccountName({ id }: { id: string }) {
  const name = useAccountName(id === '' ? null : id)
  return name === null ? 'Wallet' : name
}
