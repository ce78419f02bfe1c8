import { Badge, Paper, Text } from '@mantine/core'
import { IconChecklist } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { EndedApproval } from '../../answers.ts'
import { PageHeading } from '../../layout/page-heading.tsx'
import sectionClasses from '../../layout/section.module.css'
import { dollars } from '../../shown/dollars.ts'
import { Empty } from '../../shown/empty.tsx'
import { ShortMoment } from '../../shown/moment.tsx'
import { PagedRows } from '../../shown/paged-rows.tsx'
import { RowsTable, type TableRow } from '../../shown/rows-table.tsx'
import { endedApprovalsQuery } from './approval-queries.ts'
import { ApprovalTabs } from './approval-tabs.tsx'

/** Approvals that were released, rejected or withdrawn, or that have expired. */
export function EndedApprovalsPage() {
  const ended = useInfiniteQuery(endedApprovalsQuery)
  return (
    <>
      <PageHeading title="Approvals">Payments that were released, rejected or withdrawn, or have expired.</PageHeading>
      <ApprovalTabs />
      <Paper component="section" aria-label="Ended approvals" className={sectionClasses.section}>
        <PagedRows
          query={ended}
          rowsOf={(page) => page.approvals}
          one="approval"
          many="approvals"
          empty={
            <Empty icon={IconChecklist} title="Nothing has ended yet">
              <Text c="dimmed">Payments appear here when somebody releases, rejects or withdraws them.</Text>
            </Empty>
          }
        >
          {(rows) => (
            <RowsTable
              caption="Ended approvals, the latest first"
              heads={{ main: 'Payee', status: 'Result', date: 'Date', amount: 'Amount' }}
              rows={rows.map(rowOf)}
            />
          )}
        </PagedRows>
      </Paper>
    </>
  )
}

const outcomes: Record<EndedApproval['outcome'], [words: string, color: string]> = {
  RELEASED: ['Released', 'green'],
  VOIDED: ['Withdrawn', 'gray'],
  REJECTED: ['Rejected', 'red'],
  EXPIRED: ['Expired', 'gray'],
}

function rowOf(ended: EndedApproval): TableRow {
  const [words, color] = outcomes[ended.outcome]
  return {
    id: ended.id,
    link: (className) => <Name ended={ended} className={className} />,
    note: noteOf(ended),
    status: (
      <Badge tt="none" fw={600} radius="sm" variant="light" miw="max-content" color={color}>
        {words}
      </Badge>
    ),
    date: <ShortMoment utc={ended.ended} />,
    amount: dollars(ended.amount),
  }
}

/** Returns a note such as `Prepared by Ann, rejected by Ben: Not our vendor`. */
function noteOf({ prepared_by, outcome, ended_by, reason }: EndedApproval): string {
  const [words] = outcomes[outcome]
  const end = ended_by === null ? '' : `, ${words.toLowerCase()} by ${ended_by}`
  return `Prepared by ${prepared_by}${end}${reason === null ? '' : `: ${reason}`}`
}

/** The name, with a link to the payment or the batch. A payment that was not made has no page. */
function Name({
  ended: { kind, id, name, payment_id },
  className,
}: {
  ended: EndedApproval
  className: string | undefined
}) {
  if (kind === 'BATCH') {
    return (
      <Link to="/batches/$id" params={{ id }} preload={false} className={className}>
        {name}
      </Link>
    )
  }
  return payment_id === null ? (
    <Text size="sm" fw={600}>
      {name}
    </Text>
  ) : (
    <Link to="/payments/$id" params={{ id: payment_id }} preload={false} className={className}>
      {name}
    </Link>
  )
}
