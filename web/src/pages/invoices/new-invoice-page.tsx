import { NativeSelect, SimpleGrid, Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { api } from '../../api.ts'
import { AmountField } from '../../form/amount-field.tsx'
import { amountOf, isAmount, isGiven } from '../../form/form-rules.ts'
import { once } from '../../form/once.ts'
import { ServiceForm } from '../../form/service-form.tsx'
import { BackLink } from '../../layout/back-link.tsx'
import { PageHeading } from '../../layout/page-heading.tsx'
import { RouterAnchor } from '../../layout/router-anchor.tsx'
import { Section } from '../../layout/section.tsx'
import { useMay } from '../../permission.ts'
import { Loaded } from '../../shown/loaded.tsx'
import { notify } from '../../shown/notify.ts'
import { banksQuery } from '../accounts/account-queries.ts'
import { nameOfBank } from '../accounts/account-words.ts'
import { RefusedPage } from '../refused-page.tsx'
import { noInvoiceFilters } from './invoice-filters.ts'
import { refreshInvoices } from './invoice-queries.ts'

/** A new invoice to anyone with an email, or to a user of the platform. */
export function NewInvoicePage() {
  const banks = useQuery(banksQuery)
  if (!useMay('prepare')) return <RefusedPage name="New invoice" permission="prepare" />
  return (
    <>
      <BackLink>
        <RouterAnchor to="/invoices" search={noInvoiceFilters}>
          Invoices
        </RouterAnchor>
      </BackLink>
      <PageHeading title="New invoice">
        The recipient gets an email with a link, and pays from a bank account without signing up.
      </PageHeading>
      <Loaded query={banks}>
        {(all) => (
          <Section title="Invoice">
            <InvoiceForm banks={all.map((bank) => ({ value: bank.id, label: nameOfBank(bank) }))} />
          </Section>
        )}
      </Loaded>
    </>
  )
}

const empty = { recipient: '', name: '', amount: '', description: '', number: '', account: '' }

function InvoiceForm({ banks }: { banks: { value: string; label: string }[] }) {
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const form = useForm({
    initialValues: empty,
    validate: {
      recipient: isGiven('Enter an email.'),
      name: isGiven('Enter a name.'),
      amount: isAmount,
      description: isGiven('Enter a description.'),
    },
  })
  const send = (values: typeof empty) =>
    once(
      'new invoice',
      values,
      (key) =>
        api.sendInvoice(key, {
          recipient: values.recipient.trim(),
          name: values.name.trim(),
          amount: amountOf(values.amount),
          description: values.description.trim(),
          number: values.number.trim() || null,
          account: values.account || null,
        }),
      () => notify('Checking whether the invoice was sent'),
    )
  const finish = async ({ id }: Awaited<ReturnType<typeof send>>) => {
    await refreshInvoices(queryClient)
    notify('Invoice sent')
    await navigate({ to: '/invoices/$id', params: { id } })
  }
  return (
    <ServiceForm form={form} send={send} onDone={finish} submit="Send invoice">
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextInput
          label="To"
          description="Email address or user ID"
          required
          autoComplete="off"
          {...form.getInputProps('recipient')}
        />
        <TextInput
          label="Name"
          description="As it is printed on the invoice"
          required
          autoComplete="off"
          {...form.getInputProps('name')}
        />
        <AmountField label="Amount" required {...form.getInputProps('amount')} />
        <NativeSelect
          label="Paid into"
          data={[{ value: '', label: 'Default bank account' }, ...banks]}
          {...form.getInputProps('account')}
        />
      </SimpleGrid>
      <Textarea
        label="Description"
        required
        autosize
        minRows={2}
        maxLength={255}
        {...form.getInputProps('description')}
      />
      <TextInput
        label="Number"
        description="Optional. The next number is used by default."
        autoComplete="off"
        {...form.getInputProps('number')}
      />
    </ServiceForm>
  )
}
