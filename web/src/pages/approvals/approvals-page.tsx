import { Paper, Stack, Text } from '@mantine/core'
import { IconChecklist } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { PageHeading } from '../../layout/page-heading.tsx'
import { RouterAnchor } from '../../layout/router-anchor.tsx'
import sectionClasses from '../../layout/section.module.css'
import { useMay } from '../../permission.ts'
import { Empty } from '../../shown/empty.tsx'
import { Loaded } from '../../shown/loaded.tsx'
import { SkeletonRows } from '../../shown/skeleton-rows.tsx'
import { ApprovalItem } from './approval-item.tsx'
import { approvalsQuery } from './approval-queries.ts'
import { ApprovalTabs } from './approval-tabs.tsx'

/** The payments that wait for approval, oldest first. */
export function ApprovalsPage() {
  const approvals = useQuery(approvalsQuery)
  const mayRelease = useMay('release')
  return (
    <>
      <PageHeading title="Approvals">
        {mayRelease
          ? 'Payments that wait for you or another approver.'
          : 'Payments that wait for an approver. Your role cannot release them.'}
      </PageHeading>
      <ApprovalTabs />
      <Paper component="section" aria-label="Waiting payments" className={sectionClasses.section}>
        <Loaded query={approvals} skeleton={<SkeletonRows />}>
          {(items) =>
            items.length === 0 ? (
              <Empty title="Nothing waits for approval" icon={IconChecklist}>
                <Text c="dimmed">
                  The <RouterAnchor to="/settings/approval">approval policy</RouterAnchor> says which payments do.
                </Text>
              </Empty>
            ) : (
              <Stack component="ul" gap={0} p={0} m={0}>
                {items.map((item) => (
                  <ApprovalItem key={item.id} item={item} />
                ))}
              </Stack>
            )
          }
        </Loaded>
      </Paper>
    </>
  )
}
