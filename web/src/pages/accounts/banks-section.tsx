import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Section } from '../../layout/section.tsx'
import { useMay } from '../../permission.ts'
import { Loaded } from '../../shown/loaded.tsx'
import { SkeletonRows } from '../../shown/skeleton-rows.tsx'
import { banksQuery } from './account-queries.ts'
import classes from './accounts.module.css'
import { AddBankButton } from './add-bank-button.tsx'
import { BankCard } from './bank-card.tsx'

export function BanksSection() {
  const banks = useQuery(banksQuery)
  const mayChange = useMay('accounts')
  return (
    <Section title="Banks" action={mayChange && <AddBankButton />}>
      <Loaded query={banks} skeleton={<SkeletonRows count={2} height={56} />}>
        {(list) =>
          list.length === 0 ? (
            <Text c="dimmed">
              No bank account yet.{' '}
              {mayChange ? 'Add one to send and receive payments.' : 'An owner or an admin can add one.'}
            </Text>
          ) : (
            <ul className={classes.list}>
              {list.map((bank) => (
                <BankCard key={bank.id} bank={bank} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </Section>
  )
}
