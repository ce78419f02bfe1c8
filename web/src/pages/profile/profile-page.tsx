import { useQuery } from '@tanstack/react-query'
import { api } from '../../api.ts'
import { PageHeading } from '../../layout/page-heading.tsx'
import { useMay } from '../../permission.ts'
import { Loaded } from '../../shown/loaded.tsx'
import { LogoSection } from './logo-section.tsx'
import { PROFILE } from './profile-fields.ts'
import { ProfileForm } from './profile-form.tsx'
import { SignatureSection } from './signature-section.tsx'

export function ProfilePage() {
  const mayChange = useMay('accounts')
  // No background refetch, because it would overwrite what the user types.
  const profile = useQuery({ queryKey: PROFILE, queryFn: api.profile, refetchOnWindowFocus: false })
  return (
    <>
      <PageHeading title="Profile">Your name and address appear on the checks that you send.</PageHeading>
      <Loaded query={profile}>
        {(data) => (
          <>
            <ProfileForm profile={data} />
            {mayChange && <SignatureSection />}
            {mayChange && <LogoSection logo={data.brand.logo ?? null} />}
          </>
        )}
      </Loaded>
    </>
  )
}
