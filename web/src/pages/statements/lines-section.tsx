import { Stack, Text } from '@mantine/core'
import { IconChecks, IconSearch } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useRef } from 'react'
import { TypedFilter } from '../../form/typed-filter.tsx'
import { Section } from '../../layout/section.tsx'
import tabClasses from '../../layout/tabs.module.css'
import { Empty } from '../../shown/empty.tsx'
import { Loaded } from '../../shown/loaded.tsx'
import { SkeletonRows } from '../../shown/skeleton-rows.tsx'
import { DecidedLines } from './decided-lines.tsx'
import { accountsQuery, decidedQuery, waitingQuery } from './statement-queries.ts'
import classes from './statements.module.css'
import { WaitingLines } from './waiting-lines.tsx'

const route = getRouteApi('/settings/statements')

/** The lines without a known cause, and the lines that people decided, with a search. */
export function LinesSection() {
  const { q, show } = route.useSearch()
  const navigate = route.useNavigate()
  const search = useRef<HTMLInputElement>(null)
  const accounts = useQuery(accountsQuery).data ?? []
  const waiting = accounts.reduce((sum, one) => sum + one.waiting, 0)
  const shown = { q, namesAccount: accounts.length > 1 }
  return (
    <Section
      title="Lines to decide"
      about="Lines that no reference, rule or amount explains. Until you decide, they are in suspense."
    >
      <Stack gap="lg">
        <nav aria-label="Lines" className={tabClasses.tabs}>
          <Tab show={undefined} label="Waiting" count={waiting} isCurrent={show === undefined} />
          <Tab show="decided" label="Decided" count={0} isCurrent={show === 'decided'} />
        </nav>
        <TypedFilter
          ref={search}
          label="Search"
          type="search"
          placeholder="Text, amount, day or kind"
          leftSection={<IconSearch size={16} aria-hidden />}
          maw={360}
          value={q}
          onChange={(text) => navigate({ search: (old) => ({ ...old, q: text }), replace: true, resetScroll: false })}
        />
        {show === 'decided' ? <Decided {...shown} /> : <Waiting {...shown} onSearch={() => search.current?.focus()} />}
      </Stack>
    </Section>
  )
}

/** `count`: a tab shows it if it is not 0. */
type TabProps = { show: 'decided' | undefined; label: string; count: number; isCurrent: boolean }

const Tab = ({ show, label, count, isCurrent }: TabProps) => (
  <Link
    to="/settings/statements"
    search={(old) => ({ ...old, show })}
    replace
    resetScroll={false}
    className={tabClasses.tab}
    aria-current={isCurrent ? 'page' : undefined}
  >
    {label}
    {count > 0 && <span className={classes.count}>{count.toLocaleString('en-US')}</span>}
  </Link>
)

type LinesProps = { q: string | undefined; namesAccount: boolean }

function Waiting({ q, namesAccount, onSearch }: LinesProps & { onSearch: () => void }) {
  const lines = useQuery(waitingQuery(q))
  return (
    <Loaded query={lines} skeleton={<SkeletonRows />}>
      {({ lines: shown, total }) =>
        shown.length === 0 ? (
          <NoLines isNarrowed={q !== undefined} />
        ) : (
          <div aria-busy={lines.isPlaceholderData}>
            <WaitingLines q={q} lines={shown} namesAccount={namesAccount} onSearch={onSearch} />
            {total > shown.length && (
              <Text c="dimmed" mt="md">
                {(total - shown.length).toLocaleString('en-US')} more lines follow when these are decided.
              </Text>
            )}
          </div>
        )
      }
    </Loaded>
  )
}

const NoLines = ({ isNarrowed }: { isNarrowed: boolean }) => (
  <Empty title={isNarrowed ? 'No lines match' : 'Every line is explained'} level={3} icon={IconChecks}>
    <Text c="dimmed">
      {isNarrowed ? 'Try another text or amount.' : 'New lines that nothing explains appear here.'}
    </Text>
  </Empty>
)

function Decided({ q, namesAccount }: LinesProps) {
  const lines = useQuery(decidedQuery(q))
  return (
    <Loaded query={lines} skeleton={<SkeletonRows />}>
      {(all) => (
        <div aria-busy={lines.isPlaceholderData}>
          <DecidedLines lines={all} namesAccount={namesAccount} isNarrowed={q !== undefined} />
        </div>
      )}
    </Loaded>
  )
}
