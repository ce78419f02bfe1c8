import { PageHeading } from '../../layout/page-heading.tsx'
import { RealTimeNote } from '../../layout/real-time-note.tsx'
import { mayDo } from '../../permission.ts'
import { useServiceContext } from '../../service-context.ts'
import { EmailSection } from './email-section.tsx'
import { MembershipSection } from './membership-section.tsx'
import { PasswordSection } from './password-section.tsx'
import { SessionsSection } from './sessions-section.tsx'
import { TwoFactorRuleSection } from './two-factor-rule-section.tsx'
import { TwoFactorSection } from './two-factor-section.tsx'

export function SecurityPage() {
  const { owner } = useServiceContext()
  return (
    <>
      <PageHeading title="Security">
        Manage how you sign in and where you’re signed in.
        <RealTimeNote />
      </PageHeading>
      {owner && (
        <>
          <EmailSection email={owner.email} />
          <PasswordSection email={owner.email} />
          <TwoFactorSection isOn={owner.has_two_factor} hasOldCodes={owner.has_old_codes} />
        </>
      )}
      {owner && mayDo(owner, 'policy') && (
        <TwoFactorRuleSection platform={owner.platform} hasTwoFactor={owner.has_two_factor} />
      )}
      <SessionsSection />
      {owner && <MembershipSection owner={owner} />}
    </>
  )
}
