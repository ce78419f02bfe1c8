import { PageHeading } from '../../layout/page-heading.tsx'
import { BanksSection } from './banks-section.tsx'
import { OtherAccountsSection } from './other-accounts-section.tsx'
import { WalletsSection } from './wallets-section.tsx'

/** The accounts that the platform's own payments are drawn on. */
export const AccountsPage = () => (
  <>
    <PageHeading title="Accounts">
      The bank accounts, wallets and cards of your company. Payments are drawn on them or deposited into them.
    </PageHeading>
    <BanksSection />
    <WalletsSection />
    <OtherAccountsSection />
  </>
)
