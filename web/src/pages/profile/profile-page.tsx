import { useQuery } from '@tanstack/react-query'
import { api } from '../../api.ts'
import { PageHeading } from '../../layout/page-heading.tsx'
import { Loaded } from '../../shown/loaded.tsx'
import { PROFILE } from './profile-fields.ts'
import { ProfileForm } from './profile-form.tsx'

export function ProfilePage() {
  // The form keeps what is typed: nothing is fetched behind its back.
  const profile = useQuery({ queryKey: PROFILE, queryFn: api.profile, refetchOnWindowFocus: false })
  return (
    <>
      <PageHeading title="Profile">
        Who you are. Your name and address are printed on the checks that you send.
      </PageHeading>
      <Loaded query={profile}>{(data) => <ProfileForm profile={data} />}</Loaded>
    </>
  )
}
