import { Button, Group, Paper, Text } from '@mantine/core'
import { IconTable } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ListedBatch } from '../../answers.ts'
import { api } from '../../api.ts'
import { PageHeading } from '../../layout/page-heading.tsx'
import sectionClasses from '../../layout/section.module.css'
import { useMay } from '../../permission.ts'
import { count } from '../../shown/count.ts'
import { dollars } from '../../shown/dollars.ts'
import { Empty } from '../../shown/empty.tsx'
import { FileButton } from '../../shown/file-button.tsx'
import { ShortMoment } from '../../shown/moment.tsx'
import { PagedRows } from '../../shown/paged-rows.tsx'
import { RowsTable, type TableRow } from '../../shown/rows-table.tsx'
import { BatchBadge } from './batch-badge.tsx'
import { batchesQuery } from './batch-queries.ts'

/** The batches, newest first. */
export function BatchesPage() {
  const batches = useInfiniteQuery(batchesQuery)
  const mayPrepare = useMay('prepare')
  return (
    <>
      <PageHeading
        title="Bulk"
        action={
          <Group gap="sm">
            <TemplateButton />
            {mayPrepare && (
              <Button component={Link} to="/batches/new">
                Upload file
              </Button>
            )}
          </Group>
        }
      >
        Up to 1,500 payments of a CSV file, checked row by row and released together.
      </PageHeading>
      <Paper component="section" aria-label="Batches" className={sectionClasses.section}>
        <PagedRows
          query={batches}
          rowsOf={(page) => page.batches}
          one="batch"
          many="batches"
          empty={
            <Empty icon={IconTable} title="No batches yet">
              <Text c="dimmed">
                {mayPrepare
                  ? 'Upload a CSV file with a row for each payment.'
                  : 'Someone who may prepare payments can upload one.'}
              </Text>
            </Empty>
          }
        >
          {(rows) => (
            <RowsTable
              caption="Batches, newest first"
              heads={{ main: 'Name', status: 'Status', extra: 'Payments', date: 'Date', amount: 'Total' }}
              rows={rows.map(rowOf)}
            />
          )}
        </PagedRows>
      </Paper>
    </>
  )
}

export const TemplateButton = () => (
  <FileButton label="Download template" name="batch.csv" load={() => api.batchTemplate()} />
)

const rowOf = (batch: ListedBatch): TableRow => ({
  id: batch.id,
  link: (className) => (
    <Link to="/batches/$id" params={{ id: batch.id }} preload={false} className={className}>
      {batch.name}
    </Link>
  ),
  note: `Prepared by ${batch.prepared_by}`,
  status: <BatchBadge batch={batch} />,
  extra: count(batch.count, 'payment', 'payments'),
  date: <ShortMoment utc={batch.date} />,
  amount: dollars(batch.amount),
})
