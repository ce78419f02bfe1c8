import { PageHeading } from '../layout/page-heading.tsx'
import { useServiceContext } from '../service-context.ts'
import { MembershipSection } from './security/membership-section.tsx'
import { TwoFactorSection } from './security/two-factor-section.tsx'

/** The only page that a person without a second factor can open on a platform that requires one. */
export function EnrollPage() {
  const { owner } = useServiceContext()
  if (!owner) return null
  return (
    <>
      <PageHeading title="Set up two-factor sign-in">
        {owner.platform} requires it of everyone on the team. It takes a minute, and you need an authenticator app.
      </PageHeading>
      <TwoFactorSection isOn={owner.has_two_factor} hasOldCodes={owner.has_old_codes} />
      <MembershipSection owner={owner} />
    </>
  )
}
