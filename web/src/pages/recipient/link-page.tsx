import { Text } from '@mantine/core'
import { type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { EntryCard } from '../../layout/entry-layout.tsx'
import { PageHeading } from '../../layout/page-heading.tsx'
import { RecipientLayout } from '../../layout/recipient-layout.tsx'
import { RouterAnchor } from '../../layout/router-anchor.tsx'
import { useServiceContext } from '../../service-context.ts'
import { hasCode } from '../../service-error.ts'
import { Loaded } from '../../shown/loaded.tsx'

const REFRESH_MS = 15_000

/** The payment or invoice of a link, which is read again while its status can change by itself. */
export const useLinked = <Data,>(
  queryKey: string[],
  { load, isMoving }: { load: () => Promise<Data>; isMoving: (data: Data) => boolean },
) =>
  useQuery({
    queryKey,
    queryFn: load,
    refetchInterval: ({ state }) => (state.data !== undefined && isMoving(state.data) ? REFRESH_MS : false),
  })

type Props<Data> = {
  linked: UseQueryResult<Data>
  /** The advice for a link that does not work. */
  help: string
  /** The question that asks a visitor without an account to sign in or up, or null. */
  invitation: { question: string; condition?: string; back: string } | null
  children: (data: Data) => ReactNode
}

/** The page of a link from an email, for a person without an account. */
export function LinkPage<Data>({ linked, help, invitation, children }: Props<Data>) {
  const { owner } = useServiceContext()
  if (hasCode(linked.error, 'link_not_found')) return <DeadLink help={help} />
  return (
    <RecipientLayout>
      <EntryCard below={owner === null && invitation !== null && <Invitation {...invitation} />}>
        <Loaded query={linked}>{children}</Loaded>
      </EntryCard>
    </RecipientLayout>
  )
}

const DeadLink = ({ help }: { help: string }) => (
  <RecipientLayout>
    <EntryCard>
      <PageHeading title="This link does not work" />
      <Text>{help}</Text>
    </EntryCard>
  </RecipientLayout>
)

const Invitation = ({ question, condition, back }: NonNullable<Props<unknown>['invitation']>) => (
  <>
    {question}{' '}
    <RouterAnchor to="/sign-in" search={{ back }}>
      Sign in
    </RouterAnchor>{' '}
    or{' '}
    <RouterAnchor to="/sign-up" search={{ back }}>
      sign up
    </RouterAnchor>
    {condition && ` ${condition}`}
  </>
)

/** The steps of a visitor. `hasActed`: a step was done here, so the next one takes the focus. */
export function useLinkSteps<Data>(queryKey: string[]) {
  const queryClient = useQueryClient()
  const [hasActed, setHasActed] = useState(false)
  return {
    hasActed,
    act: () => setHasActed(true),
    onDone: (answer: Data) => {
      setHasActed(true)
      queryClient.setQueryData(queryKey, answer)
    },
    reload: () => {
      setHasActed(true)
      return queryClient.invalidateQueries({ queryKey })
    },
  }
}
