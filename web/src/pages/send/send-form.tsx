import { Checkbox, NativeSelect, SegmentedControl, SimpleGrid, Stack, TextInput } from '@mantine/core'
import { type UseFormReturnType, useForm } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import type { Limits } from '../../answers.ts'
import { api } from '../../api.ts'
import { AddressFields } from '../../form/address-fields.tsx'
import { AmountField } from '../../form/amount-field.tsx'
import { AttachmentField } from '../../form/attachment-field.tsx'
import { isAmount, isGiven } from '../../form/form-rules.ts'
import { ServiceForm } from '../../form/service-form.tsx'
import { Section } from '../../layout/section.tsx'
import { useToday } from '../../layout/use-today.ts'
import { hasCode, ServiceError } from '../../service-error.ts'
import { dollars } from '../../shown/dollars.ts'
import { FundingField } from '../accounts/funding-field.tsx'
import { limitQuery } from '../users/user-queries.ts'
import { CheckPreview } from './check-preview.tsx'
import { PayeeFields } from './payee-fields.tsx'
import { PayeeName, RecipientField } from './payee-name.tsx'
import { RecipientsFields, recipientRules } from './recipients-fields.tsx'
import { RemittanceRows, remittanceRules } from './remittance-fields.tsx'
import { RepeatFields } from './repeat-fields.tsx'
import classes from './send.module.css'
import { buildOrder, canSavePayee, mailTypes, previewBody, type SendFields } from './send-order.ts'

type Form = UseFormReturnType<SendFields>

/**
 * Errors of the preview that do not stop the payment. The review has no picture if checks cannot be printed, or if the service has no time to
 * draw. The service then checks the payment when it is sent.
 */
const WITHOUT_PICTURE = ['paper_unavailable', 'unprintable_text', 'overloaded']

/** The first step. The service checks the payment and draws its check, but does not create it. */
export function SendForm({
  fields,
  onReviewed,
}: {
  fields: SendFields
  onReviewed: (fields: SendFields, image: string | null) => void
}) {
  const today = useToday()
  const form = useForm({ initialValues: fields, validate: { ...rules, start_date: isStartDate(today) } })
  const { data: limits } = useQuery(limitQuery(undefined))
  const review = async (given: SendFields) => {
    const { body } = buildOrder(given)
    if (given.interval === '') requireWithinLimits(await api.limits(undefined), body.amount)
    const { image } = await api.previewCheck(previewBody(given)).catch((error) => {
      if (WITHOUT_PICTURE.some((code) => hasCode(error, code))) return { image: null }
      throw error
    })
    // The picture shows the next check number and today's date, so it is left out for a payment that is made later.
    return { image: given.interval === '' ? image : null }
  }
  return (
    <div className={classes.columns}>
      <Section title="Payment">
        <ServiceForm
          form={form}
          send={review}
          onDone={({ image }, given) => onReviewed(given, image)}
          submit="Review payment"
        >
          <SegmentedControl
            aria-label="How to send"
            fullWidth
            classNames={{ label: classes.kind }}
            data={[
              { value: 'DIGITAL', label: 'To a person' },
              { value: 'PHYSICAL', label: 'Paper check' },
              { value: 'MULTI', label: 'Several people' },
            ]}
            {...form.getInputProps('kind')}
            onChange={(kind) =>
              form.setValues({ kind: kind as SendFields['kind'], ...(kind === 'MULTI' && { interval: '' }) })
            }
          />
          {form.values.kind === 'DIGITAL' && <PayeeFields form={form} />}
          {form.values.kind === 'DIGITAL' && <PersonFields form={form} />}
          {form.values.kind === 'PHYSICAL' && <PaperFields form={form} />}
          {form.values.kind === 'MULTI' && <RecipientsFields form={form} />}
          <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
            <AmountField
              label="Amount"
              description={leftWords(limits)}
              inputWrapperOrder={['label', 'input', 'description', 'error']}
              {...form.getInputProps('amount')}
            />
            <FundingField {...form.getInputProps('account')} value={form.values.account} />
          </SimpleGrid>
          {form.values.kind !== 'MULTI' && <RepeatFields form={form} />}
          <TextInput
            label="Description"
            description="Optional. The payee sees it, for example Invoice 42"
            autoComplete="off"
            {...form.getInputProps('description')}
          />
          <AddedFields form={form} />
        </ServiceForm>
      </Section>
      <div className={classes.beside}>
        <CheckPreview fields={form.values} />
      </div>
    </div>
  )
}

/** The attachment, the invoices and whether the payee is saved. */
const AddedFields = ({ form }: { form: Form }) => (
  <>
    {form.values.interval === '' && (
      <AttachmentField
        label="Attachment"
        description="Optional. The payee gets it."
        {...form.getInputProps('attachment')}
        value={form.values.attachment}
        error={form.errors.attachment as string | undefined}
      />
    )}
    <RemittanceRows form={form} />
    {canSavePayee(form.values) && (
      <Checkbox label="Save as payee" {...form.getInputProps('saves_payee', { type: 'checkbox' })} />
    )}
  </>
)

/** Returns a sentence with the amount that the sending limits leave, if there are limits. */
function leftWords(limits: Limits | undefined): string | undefined {
  const left = limits ? leftParts(limits) : []
  return left.length === 0 ? undefined : `Left to send: ${left.join(', ')}`
}

const leftParts = ({ payment, day, month }: Limits): string[] =>
  [
    day.left !== null && `${dollars(day.left)} today`,
    month.left !== null && `${dollars(month.left)} this month`,
    payment.maximum !== null && `${dollars(payment.maximum)} in one payment`,
  ].filter((part) => part !== false)

/** Refuses an amount above the limits. @throws ServiceError at the field of the amount */
function requireWithinLimits({ left, payment, day }: Limits, amount: number): void {
  if (left === null || amount <= left) return
  const period = left === payment.maximum ? 'in one payment' : left === day.left ? 'today' : 'this month'
  const message = `You can send at most ${dollars(left)} ${period}. Enter a smaller amount.`
  throw new ServiceError({ code: 'over_limit', message, fields: { amount: [message] } })
}

/** Requires a day after today, because later payments are made at a fixed hour of the day, and today's may be over. */
const isStartDate =
  (today: string | null) =>
  (value: string, { interval }: SendFields): string | null => {
    if (interval !== 'ONCE') return null
    if (value === '') return 'Enter the day on which we send the payment.'
    return today !== null && value <= today ? 'Choose a day after today.' : null
  }

const isOfPaper =
  (problem: string) =>
  (value: string, { kind }: SendFields) =>
    kind === 'PHYSICAL' ? isGiven(problem)(value) : null

const rules = {
  recipient: (value: string, { kind, payee_account }: SendFields) =>
    kind === 'DIGITAL' && payee_account === ''
      ? isGiven('Enter an email address, a phone number or a user ID.')(value)
      : null,
  name: (value: string, { kind }: SendFields) =>
    kind === 'MULTI' ? null : isGiven('Enter the name of the payee.')(value),
  recipients: recipientRules,
  amount: isAmount,
  remittance_advice: remittanceRules,
  duration: (value: string, { interval }: SendFields) =>
    interval === '' ||
    interval === 'ONCE' ||
    value.trim() === '' ||
    (/^\d+$/.test(value.trim()) && Number(value) >= 1 && Number(value) <= 52)
      ? null
      : 'Enter a number from 1 to 52, or leave it empty.',
  address: {
    line_1: isOfPaper('Enter the street.'),
    city: isOfPaper('Enter the city.'),
    state: isOfPaper('Enter the state.'),
    zip: isOfPaper('Enter the ZIP code.'),
  },
}

const PersonFields = ({ form }: { form: Form }) => (
  <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
    {form.values.payee_account === '' && <RecipientField form={form} />}
    <PayeeName form={form} description="As it is printed on the check" />
  </SimpleGrid>
)

const PaperFields = ({ form }: { form: Form }) => (
  <Stack gap="md">
    <PayeeName form={form} />
    <AddressFields form={form} />
    {form.values.interval === '' && (
      <NativeSelect
        label="Mail"
        data={Object.entries(mailTypes).map(([value, label]) => ({ value, label }))}
        {...form.getInputProps('mail_type')}
      />
    )}
  </Stack>
)
