import { Badge, Group, Text } from '@mantine/core'
import type { Bank } from '../../answers.ts'
import { useMay } from '../../permission.ts'
import { useBankName } from '../../shown/use-bank-name.ts'
import { bankStatuses, bankTypes, nameOfBank } from './account-words.ts'
import classes from './accounts.module.css'
import { BankActions } from './bank-actions.tsx'

const badge = { tt: 'none', fw: 600, radius: 'sm', variant: 'light', miw: 'max-content' } as const

/** A bank account with its next actions. */
export function BankCard({ bank }: { bank: Bank }) {
  const { name, color, about } = bankStatuses[bank.status]
  const bankName = useBankName(bank.routing)
  const mayChange = useMay('accounts')
  return (
    <li className={classes.card}>
      <div>
        <Group gap="xs">
          <Text fw={600}>{nameOfBank(bank)}</Text>
          <Badge {...badge} color={color}>
            {name}
          </Badge>
          {bank.default && (
            <Badge {...badge} color="petrol">
              Default
            </Badge>
          )}
        </Group>
        <Text c="dimmed" size="sm" mt={4} className={classes.numbers}>
          {[
            bankName,
            bank.nickname !== null && bank.name,
            (bank.name !== null || bank.nickname !== null) && `${bankTypes[bank.type]} ending in ${bank.account}`,
            `Routing number ${bank.routing}`,
          ]
            .filter(Boolean)
            .join(' · ')}
        </Text>
        <Text c="dimmed" size="sm">
          {about}
        </Text>
      </div>
      {mayChange && <BankActions bank={bank} />}
    </li>
  )
}
