import { Button, NativeSelect, Paper, Stack, Text } from '@mantine/core'
import { IconFileInvoice, IconPlus } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import type { ListedInvoice } from '../../answers.ts'
import { DirectionTabs } from '../../layout/direction-tabs.tsx'
import { PageHeading } from '../../layout/page-heading.tsx'
import sectionClasses from '../../layout/section.module.css'
import { useMay } from '../../permission.ts'
import { dollars } from '../../shown/dollars.ts'
import { Empty } from '../../shown/empty.tsx'
import { Day, ShortMoment } from '../../shown/moment.tsx'
import { PagedRows } from '../../shown/paged-rows.tsx'
import { RowsTable, type TableRow } from '../../shown/rows-table.tsx'
import { InvoiceBadge, invoiceStatusWords } from './invoice-badge.tsx'
import type { InvoiceFilters } from './invoice-filters.ts'
import { invoicesQuery } from './invoice-queries.ts'

const route = getRouteApi('/signed-in/invoices')

/** Sent or received invoices, newest first. */
export function InvoicesPage() {
  const filters = route.useSearch()
  const navigate = route.useNavigate()
  const mayPrepare = useMay('prepare')
  const invoices = useInfiniteQuery(invoicesQuery(filters))
  return (
    <>
      <PageHeading
        title="Invoices"
        action={
          mayPrepare && (
            <Button component={Link} to="/invoices/new" leftSection={<IconPlus size={16} aria-hidden />}>
              New invoice
            </Button>
          )
        }
      />
      <DirectionTabs to="/invoices" current={filters.direction} />
      <Paper component="section" aria-label="Invoices" className={sectionClasses.section}>
        <Stack gap="lg">
          <NativeSelect
            label="Status"
            maw={220}
            value={filters.status ?? ''}
            data={[
              { value: '', label: 'All' },
              ...Object.entries(invoiceStatusWords).map(([value, label]) => ({ value, label })),
            ]}
            onChange={({ currentTarget }) => {
              const status = (currentTarget.value || undefined) as InvoiceFilters['status']
              return navigate({ search: (now) => ({ ...now, status }), replace: true, resetScroll: false })
            }}
          />
          <PagedRows
            query={invoices}
            rowsOf={(page) => page.invoices}
            one="invoice"
            many="invoices"
            empty={
              <NoInvoices
                filters={filters}
                mayPrepare={mayPrepare}
                onClear={() => navigate({ search: (now) => ({ ...now, status: undefined }), replace: true })}
              />
            }
          >
            {(rows) => (
              <RowsTable
                caption="Invoices, newest first"
                heads={{
                  main: filters.direction === 'INCOMING' ? 'For' : 'Name',
                  status: 'Status',
                  extra: 'Due',
                  date: 'Sent',
                  amount: 'Amount',
                }}
                rows={rows.map(rowOf)}
              />
            )}
          </PagedRows>
        </Stack>
      </Paper>
    </>
  )
}

const rowOf = (invoice: ListedInvoice): TableRow => ({
  id: invoice.id,
  link: (className) => (
    <Link to="/invoices/$id" params={{ id: invoice.id }} preload={false} className={className}>
      {invoice.direction === 'INCOMING' ? invoice.description : invoice.name}
    </Link>
  ),
  note: `${invoice.number} · ${invoice.direction === 'INCOMING' ? `To ${invoice.name}` : invoice.description}`,
  status: <InvoiceBadge status={invoice.status} isOverdue={invoice.is_overdue} />,
  extra: invoice.due_date !== null && <Day date={invoice.due_date} />,
  date: <SentOrDue invoice={invoice} />,
  amount: dollars(invoice.amount),
})

/** The date of a row. A phone has room for one only: the due date of an unpaid invoice. */
function SentOrDue({ invoice: { date, due_date, status } }: { invoice: ListedInvoice }) {
  if (due_date === null || status !== 'UNPAID') return <ShortMoment utc={date} />
  return (
    <>
      <Text span inherit visibleFrom="sm">
        <ShortMoment utc={date} />
      </Text>
      <Text span inherit hiddenFrom="sm">
        Due <Day date={due_date} />
      </Text>
    </>
  )
}

type NoneProps = { filters: InvoiceFilters; mayPrepare: boolean; onClear: () => unknown }

function NoInvoices({ filters: { direction, status }, mayPrepare, onClear }: NoneProps) {
  if (status !== undefined) {
    return (
      <Empty icon={IconFileInvoice} title="No invoices match this status">
        <Button variant="default" onClick={() => onClear()}>
          Show all invoices
        </Button>
      </Empty>
    )
  }
  return direction === 'INCOMING' ? (
    <Empty icon={IconFileInvoice} title="No invoices received yet">
      <Text c="dimmed">Invoices that others send to you, or to your email, appear here.</Text>
    </Empty>
  ) : (
    <Empty icon={IconFileInvoice} title="No invoices sent yet">
      <Text c="dimmed">
        {mayPrepare
          ? 'Ask anyone with an email for a payment. They pay from a bank account without signing up.'
          : 'Someone who may prepare payments can send one.'}
      </Text>
    </Empty>
  )
}
