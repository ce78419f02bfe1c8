import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { LeftKeys } from '../../answers.ts'
import { PageHeading } from '../../layout/page-heading.tsx'
import { Section } from '../../layout/section.tsx'
import { Loaded } from '../../shown/loaded.tsx'
import { InvitationsSection } from './invitations-section.tsx'
import { InviteButton } from './invite-button.tsx'
import { LeftKeysDialog } from './left-keys-dialog.tsx'
import { MembersTable } from './members-table.tsx'
import { RolesSection } from './roles-section.tsx'
import { teamQuery } from './team-query.ts'

/** The members of the platform, the open invitations, and the permissions of each role. */
export function TeamPage() {
  const team = useQuery(teamQuery)
  const [left, setLeft] = useState<LeftKeys | null>(null)
  return (
    <>
      <PageHeading title="Team" action={team.data && <InviteButton team={team.data} />}>
        People who can sign in to this platform. Their role decides what they see and do.
      </PageHeading>
      <Section title="Members" about={team.data && memberCount(team.data.members.length, team.data.limit)}>
        <Loaded query={team}>{(data) => <MembersTable team={data} onRemoved={setLeft} />}</Loaded>
      </Section>
      <InvitationsSection team={team.data ?? null} />
      {team.data && <RolesSection roles={team.data.roles} />}
      <LeftKeysDialog left={left} onClose={() => setLeft(null)} />
    </>
  )
}

const memberCount = (count: number, limit: number): string =>
  count === 1 ? `Only you so far. A team can have up to ${limit} people.` : `${count} of up to ${limit} people.`
