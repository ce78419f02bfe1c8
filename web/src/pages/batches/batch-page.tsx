import { Button, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { Batch, BatchRow } from '../../answers.ts'
import { BackLink } from '../../layout/back-link.tsx'
import { PageHeading } from '../../layout/page-heading.tsx'
import { RouterAnchor } from '../../layout/router-anchor.tsx'
import { Section } from '../../layout/section.tsx'
import { useMay } from '../../permission.ts'
import { count } from '../../shown/count.ts'
import { dollars } from '../../shown/dollars.ts'
import { Fact, Facts } from '../../shown/facts.tsx'
import { Loaded } from '../../shown/loaded.tsx'
import { Moment } from '../../shown/moment.tsx'
import { RecordsTable } from '../../shown/records-table.tsx'
import { RowsTable, type TableRow } from '../../shown/rows-table.tsx'
import { SkeletonRows } from '../../shown/skeleton-rows.tsx'
import { ApprovalActions } from '../approvals/approval-actions.tsx'
import { progressWords } from '../approvals/approval-item.tsx'
import { PaymentBadge } from '../payments/payment-badge.tsx'
import { noFilters } from '../payments/payment-filters.ts'
import { BatchBadge } from './batch-badge.tsx'
import { batchQuery, batchRowsQuery } from './batch-queries.ts'

const route = getRouteApi('/signed-in/batches/$id')

/** The page of a batch: the approvals that it waits for or its outcome, and its payments. */
export function BatchPage() {
  const { id } = route.useParams()
  const batch = useQuery(batchQuery(id))
  return (
    <>
      <BackLink>
        <RouterAnchor to="/batches">Bulk</RouterAnchor>
      </BackLink>
      {batch.data === undefined && <PageHeading title="Batch" />}
      <Loaded query={batch}>{(data) => <Shown batch={data} />}</Loaded>
    </>
  )
}

function Shown({ batch }: { batch: Batch }) {
  const mayPrepare = useMay('prepare')
  const { id, name, amount, approvals } = batch
  return (
    <>
      <PageHeading
        title={name}
        action={
          approvals &&
          mayPrepare && (
            <Button
              variant="default"
              renderRoot={(props) => <Link to="/batches/new" search={{ replace: id }} {...props} />}
            >
              Replace file
            </Button>
          )
        }
      >
        <span role="status">
          {count(batch.count, 'payment', 'payments')}, {dollars(amount)} in total
        </span>
      </PageHeading>
      <Section title="Batch" action={<BatchBadge batch={batch} size="lg" />}>
        <BatchFacts batch={batch} />
        {approvals && (
          <Stack gap="md">
            <Text size="sm">{progressWords(approvals)}</Text>
            <ApprovalActions
              item={{
                ...{
                  id,
                  name,
                  amount,
                  kind: 'BATCH',
                  prepared_by: batch.prepared_by,
                  needed: approvals.needed,
                  next: approvals.next,
                  version: batch.version,
                },
              }}
            />
          </Stack>
        )}
      </Section>
      {batch.payments.length > 0 && <Totals batch={batch} />}
      <Section title={approvals ? 'Rows' : 'Payments'}>
        <Rows id={id} isReleased={batch.outcome === 'RELEASED'} />
      </Section>
    </>
  )
}

const endWords = { RELEASED: 'Released', REJECTED: 'Rejected', VOIDED: 'Deleted', EXPIRED: 'Expired' } as const

const BatchFacts = ({ batch }: { batch: Batch }) => (
  <Facts>
    <Fact label="Prepared">
      by {batch.prepared_by} on <Moment utc={batch.date} />
    </Fact>
    {batch.edited_by.length > 0 && <Fact label="Changed">by {batch.edited_by.join(' and ')}</Fact>}
    {batch.outcome && (
      <Fact label={endWords[batch.outcome]}>
        {batch.ended_by && <>by {batch.ended_by} </>}on <Moment utc={batch.updated} />
      </Fact>
    )}
    {batch.reason && <Fact label="Reason">{batch.reason}</Fact>}
    {batch.approvals && batch.approvals.reasons.length > 0 && (
      <Fact label="Needs approval">{batch.approvals.reasons.join('. ')}</Fact>
    )}
    {batch.expires && (
      <Fact label="Expires">
        <Moment utc={batch.expires} />
      </Fact>
    )}
    <Fact label="Batch ID" isCode>
      {batch.id}
    </Fact>
  </Facts>
)

/** The payments by their current status. */
const Totals = ({ batch }: { batch: Batch }) => (
  <Section
    title="Totals"
    action={
      <RouterAnchor to="/payments" search={{ ...noFilters, batch: batch.id }}>
        Show in Payments
      </RouterAnchor>
    }
  >
    <RecordsTable
      caption="Totals by status"
      columns={[
        { head: 'Status', cell: ({ status }) => <PaymentBadge status={status} /> },
        { head: 'Payments', isNumber: true, cell: (total) => total.count.toLocaleString('en-US') },
        { head: 'Amount', isNumber: true, cell: (total) => dollars(total.amount) },
      ]}
      rows={batch.payments.map((total) => ({ ...total, id: total.status }))}
      empty=""
    />
  </Section>
)

const SHOWN = 25

function Rows({ id, isReleased }: { id: string; isReleased: boolean }) {
  const rows = useQuery(batchRowsQuery(id))
  const [shown, setShown] = useState(SHOWN)
  return (
    <Loaded query={rows} skeleton={<SkeletonRows />}>
      {(all) => (
        <Stack gap="md">
          <RowsTable
            caption="Payments of the batch"
            heads={{ main: 'Payee', ...(isReleased && { status: 'Status' }), date: 'Row', amount: 'Amount' }}
            rows={all.slice(0, shown).map(rowOf)}
          />
          {all.length > shown && (
            <Group>
              <Button variant="default" onClick={() => setShown(shown + 250)}>
                Show more
              </Button>
              <Text size="sm" c="dimmed">
                {shown} of {all.length.toLocaleString('en-US')} shown
              </Text>
            </Group>
          )}
        </Stack>
      )}
    </Loaded>
  )
}

const rowOf = (row: BatchRow): TableRow => ({
  id: String(row.line),
  link: (className) => <Payee row={row} className={className} />,
  note: noteOf(row),
  status: row.payment && <PaymentBadge status={row.payment.status} />,
  date: `Row ${row.line}`,
  amount: dollars(row.amount),
})

const noteOf = ({ recipient, account, description }: BatchRow): string =>
  [recipient, account && `account ending in ${account}`, description].filter(Boolean).join(' · ')

const Payee = ({ row: { name, payment }, className }: { row: BatchRow; className: string | undefined }) =>
  payment ? (
    <Link to="/payments/$id" params={{ id: payment.id }} preload={false} className={className}>
      {name}
    </Link>
  ) : (
    <Text size="sm" fw={600}>
      {name}
    </Text>
  )
