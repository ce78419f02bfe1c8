import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { Invoice } from '../../answers.ts'
import { Section } from '../../layout/section.tsx'
import { Fact } from '../../shown/facts.tsx'
import { Loaded } from '../../shown/loaded.tsx'
import { Day } from '../../shown/moment.tsx'
import { SkeletonRows } from '../../shown/skeleton-rows.tsx'
import { InvoiceLines } from '../payer/invoice-lines.tsx'
import sheetClasses from '../payer/invoice-sheet.module.css'
import { CopyLinkButton } from './copy-link-button.tsx'
import { InvoiceBadge } from './invoice-badge.tsx'
import { invoiceDetailsQuery } from './invoice-queries.ts'
import { InvoiceTimeline } from './invoice-timeline.tsx'

/** Lines, terms and timeline of an invoice. */
export function InvoiceDetails({ invoice: { id, amount } }: { invoice: Invoice }) {
  const details = useQuery(invoiceDetailsQuery(id))
  return (
    <Loaded query={details} skeleton={<SkeletonRows count={4} height={36} />}>
      {({ items, subtotal, tax, terms, entries }) => (
        <>
          {items.length > 0 && (
            <Section title="Items">
              <InvoiceLines lines={{ items, subtotal, tax }} total={amount} />
            </Section>
          )}
          {terms !== null && (
            <Section title="Terms">
              <Text className={sheetClasses.terms} mt={-8}>
                {terms}
              </Text>
            </Section>
          )}
          <InvoiceTimeline entries={entries} />
        </>
      )}
    </Loaded>
  )
}

export function DueFact({ id }: { id: string }) {
  const { data } = useQuery(invoiceDetailsQuery(id))
  if (!data || data.due_date === null) return null
  return (
    <Fact label="Due">
      <Day date={data.due_date} />
    </Fact>
  )
}

/** The status of the invoice, or "overdue" for an unpaid one after the due date. */
export function StatusBadge({ invoice: { id, status } }: { invoice: Invoice }) {
  const { data, isPending } = useQuery(invoiceDetailsQuery(id))
  return isPending ? null : <InvoiceBadge status={status} isOverdue={data?.is_overdue ?? false} size="lg" />
}

/** The link to the payer's page, for the sender of an invoice to a person without an account. */
export function LinkButton({ invoice: { id, status } }: { invoice: Invoice }) {
  const { data } = useQuery(invoiceDetailsQuery(id))
  return data?.has_link && status !== 'VOID' ? <CopyLinkButton id={id} /> : null
}
