import '@mantine/core/styles/ScrollArea.layer.css'
import '@mantine/spotlight/styles.layer.css'
import { useMantineColorScheme } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { Spotlight, spotlight } from '@mantine/spotlight'
import {
  IconArrowsExchange,
  IconBuildingBank,
  IconKey,
  IconLogout,
  IconMoon,
  IconSearch,
  IconUser,
  IconUserPlus,
  IconUsers,
} from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate, useRouter } from '@tanstack/react-router'
import { type ComponentType, type RefObject, useEffect, useState } from 'react'
import type { Member, Permission } from '../answers.ts'
import { api } from '../api.ts'
import { errorText } from '../form/field-errors.ts'
import { paymentStatusWords } from '../pages/payments/payment-words.ts'
import { mayDo } from '../permission.ts'
import { useServiceContext } from '../service-context.ts'
import { menuPages } from '../settings-pages.ts'
import { dollars } from '../shown/dollars.ts'
import { notify } from '../shown/notify.ts'
import { leaveSignedOut } from './leave-signed-out.ts'

type Item = { id: string; label: string; about?: string; icon: ComponentType<{ size: number }>; run: () => unknown }
type Group = { label: string; items: Item[] }

type Props = { openings: number; typed: RefObject<string>; onReady: () => void }

const PAUSE_MS = 150
const MIN_LENGTH = 2
const READING_MS = 1_000

/**
 * The command palette. It is the default export, because React loads it lazily. It opens whenever `openings` changes. `typed` is
 * the text that was typed before it had the focus.
 */
export default function Palette({ openings, typed, onReady }: Props) {
  const { owner } = useServiceContext()
  const [query, setQuery] = useState('')
  useEffect(() => {
    if (openings > 0) spotlight.open()
  }, [openings])
  const pagesAndActions = usePagesAndActions(owner)
  const found = useFound(query)
  const groups = [...pagesAndActions.map((group) => matching(group, query)), ...found.groups].filter(
    ({ items }) => items.length > 0,
  )
  return (
    <Spotlight.Root
      query={query}
      onQueryChange={setQuery}
      shortcut="mod + K"
      tagsToIgnore={[]}
      scrollable
      attributes={{ content: { 'aria-label': 'Command palette' } }}
      maxHeight={420}
      transitionProps={{ duration: 0 }} // reopened during a transition, it would keep the last query
    >
      <Spotlight.Search
        onFocus={() => {
          if (typed.current !== '') setQuery(typed.current)
          typed.current = ''
          onReady()
        }}
        aria-label="Find a page, action, payment or user"
        placeholder="Pages, actions, payments and users"
        leftSection={<IconSearch size={18} aria-hidden />}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || found.isSearching || isAnySelected()) return
          event.preventDefault()
          groups[0]?.items[0]?.run()
          spotlight.close()
        }}
      />
      <Spotlight.ActionsList aria-busy={found.isSearching}>
        {groups.map(({ label, items }) => (
          <Spotlight.ActionsGroup key={label} label={label}>
            {items.map(({ id, label: name, about, icon: Icon, run }) => (
              <Spotlight.Action
                key={id}
                label={name}
                {...(about !== undefined && { description: about })}
                leftSection={<Icon size={18} />}
                onClick={() => run()}
              />
            ))}
          </Spotlight.ActionsGroup>
        ))}
        {groups.length === 0 && (
          <Spotlight.Empty>{found.isSearching ? 'Searching…' : (found.problem ?? 'Nothing found')}</Spotlight.Empty>
        )}
      </Spotlight.ActionsList>
    </Spotlight.Root>
  )
}

/** Returns whether a result is selected. Late results are not selected automatically, so Enter then opens the first one. */
const isAnySelected = () => document.querySelector('[role="dialog"] [data-selected]') !== null

const matching = ({ label, items }: Group, query: string): Group => {
  const words = query.trim().toLowerCase()
  return { label, items: items.filter((item) => item.label.toLowerCase().includes(words)) }
}

function usePagesAndActions(owner: Member | null): Group[] {
  const router = useRouter()
  const { toggleColorScheme } = useMantineColorScheme()
  const go = (to: string) => () => router.navigate({ to })
  const actions: (Item & { permission: Permission | null })[] = [
    {
      id: 'add-bank',
      label: 'Add a bank account',
      icon: IconBuildingBank,
      permission: 'accounts',
      run: go('/accounts'),
    },
    { id: 'create-user', label: 'Create a user', icon: IconUserPlus, permission: 'users', run: go('/users') },
    { id: 'new-key', label: 'Create an API key', icon: IconKey, permission: 'keys', run: go('/settings/developer') },
    { id: 'invite', label: 'Invite a person', icon: IconUsers, permission: 'team', run: go('/settings/team') },
    { id: 'theme', label: 'Switch between light and dark', icon: IconMoon, permission: null, run: toggleColorScheme },
    { id: 'sign-out', label: 'Sign out', icon: IconLogout, permission: null, run: signOut },
  ]
  return [
    {
      label: 'Pages',
      items: menuPages(owner).map(({ to, name, icon }) => ({ id: to, label: name, icon, run: go(to) })),
    },
    {
      label: 'Actions',
      items: actions.filter(
        ({ permission }) =>
          permission === null || (mayDo(owner, permission) && (permission === 'accounts' || !owner?.is_payee)),
      ),
    },
  ]
}

const signOut = () => api.signOut().then(leaveSignedOut, (error) => notify(errorText(error)))

/** Searches payments and users of the platform when the typing pauses, and again while the service is still reading payments. */
function useFound(query: string): { groups: Group[]; isSearching: boolean; problem: string | null } {
  const navigate = useNavigate()
  const [q] = useDebouncedValue(query.trim(), PAUSE_MS)
  const isWanted = q.length >= MIN_LENGTH
  const { data, isPlaceholderData, isFetching, error } = useQuery({
    queryKey: ['payments', 'search', q],
    queryFn: () => api.search(q),
    enabled: isWanted,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.is_complete === false ? READING_MS : false),
  })
  const isTyping = query.trim() !== q
  if (!isWanted || data === undefined) {
    return { groups: [], isSearching: isTyping || isFetching, problem: error && errorText(error) }
  }
  const payments = data.payments.map(({ id, name, amount, number, status }) => ({
    id,
    label: `${dollars(amount)} to ${name}`,
    about: `No. ${number} · ${paymentStatusWords[status]}`,
    icon: IconArrowsExchange,
    run: () => navigate({ to: '/payments/$id', params: { id } }),
  }))
  const users = data.users.map(({ id, name, user_id }) => ({
    id,
    label: name,
    about: user_id ?? '',
    icon: IconUser,
    run: () => navigate({ to: '/users/$id', params: { id } }),
  }))
  const isNothingFound = payments.length + users.length === 0
  return {
    groups: [
      { label: 'Payments', items: payments },
      { label: 'Users', items: users },
    ],
    isSearching: isTyping || isPlaceholderData || (isNothingFound && !data.is_complete),
    problem: null,
  }
}
