import { SegmentedControl } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { Member } from '../../answers.ts'
import { PageHeading } from '../../layout/page-heading.tsx'
import { RouterAnchor } from '../../layout/router-anchor.tsx'
import { Section } from '../../layout/section.tsx'
import { useServiceContext } from '../../service-context.ts'
import { Loaded } from '../../shown/loaded.tsx'
import { SkeletonRows } from '../../shown/skeleton-rows.tsx'
import { NewerNotice, useNewerPayments } from '../payments/newer-payments.tsx'
import { NoPayments } from '../payments/no-payments.tsx'
import { noFilters } from '../payments/payment-filters.ts'
import { PaymentsTable } from '../payments/payments-table.tsx'
import { AttentionSection } from './attention-section.tsx'
import { Checklist } from './checklist.tsx'
import classes from './home.module.css'
import { hasUsersQuery, recentQuery, summaryQuery } from './home-queries.ts'
import { MethodSection } from './method-section.tsx'
import { Numbers } from './numbers.tsx'
import { VolumeSection } from './volume-section.tsx'

const route = getRouteApi('/signed-in/')

/** The first page after sign-in: what needs attention, the figures of the last 30 days, and the newest payments. */
export function HomePage() {
  const { owner } = useServiceContext()
  const { scope } = route.useSearch()
  const user = scope === 'own' ? owner?.id : undefined
  return (
    <>
      <PageHeading title="Home" action={<ScopeControl scope={scope} />}>
        {owner?.platform}
      </PageHeading>
      <Checklist />
      <AttentionSection />
      {!owner?.is_payee && <SentSections user={user} />}
      <RecentSection user={user} owner={owner} />
    </>
  )
}

/** Home of a payee, who sends no payments. */
function SentSections({ user }: { user: string | undefined }) {
  const { isPlaceholderData } = useQuery(summaryQuery(user))
  return (
    <>
      <Numbers user={user} />
      <div className={classes.charts} aria-busy={isPlaceholderData}>
        <VolumeSection user={user} />
        <MethodSection user={user} />
      </div>
    </>
  )
}

/** Chooses the scope. Shown only if the platform has users. */
function ScopeControl({ scope }: { scope: 'own' | undefined }) {
  const navigate = route.useNavigate()
  const { data: hasUsers } = useQuery(hasUsersQuery)
  if (!hasUsers) return null
  return (
    <SegmentedControl
      aria-label="Whose numbers"
      value={scope ?? 'all'}
      data={[
        { value: 'all', label: 'All users' },
        { value: 'own', label: 'Your account' },
      ]}
      onChange={(value) => navigate({ search: { scope: value === 'own' ? 'own' : undefined }, replace: true })}
    />
  )
}

function RecentSection({ user, owner }: { user: string | undefined; owner: Member | null }) {
  const direction = owner?.is_payee ? 'INCOMING' : undefined
  const recent = useQuery(recentQuery(user))
  const newer = useNewerPayments(user === undefined ? {} : { user }, recent.data)
  return (
    <Section
      title="Recent payments"
      action={
        recent.data !== undefined &&
        recent.data.payments.length > 0 && (
          <RouterAnchor to="/payments" search={{ ...noFilters, direction }}>
            All payments
          </RouterAnchor>
        )
      }
    >
      <div className={classes.recent} aria-busy={recent.isPlaceholderData}>
        <Loaded query={recent} skeleton={<SkeletonRows count={5} />}>
          {() =>
            newer.payments.length === 0 ? (
              <NoPayments direction={direction} isNarrowed={false} onClear={() => undefined} level={3} />
            ) : (
              <PaymentsTable caption="Recent payments" payments={newer.payments} ownId={owner?.id} />
            )
          }
        </Loaded>
        <NewerNotice newer={newer} isLoading={recent.isFetching} onShow={recent.refetch} />
      </div>
    </Section>
  )
}
