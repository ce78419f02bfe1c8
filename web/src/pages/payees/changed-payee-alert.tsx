import { Alert } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { PayeeDetails } from '../../answers.ts'
import { useMomentText } from '../../shown/moment.tsx'
import { payeeQuery } from './payee-queries.ts'
import { accountText } from './payee-words.ts'

/** Warns about a payee that has changed in the last seven days. Hidden for other payees. */
export function ChangedPayeeAlert({ id }: { id: string }) {
  const momentText = useMomentText()
  const { data: payee } = useQuery({ ...payeeQuery(id), enabled: id !== '' })
  if (!payee?.recently_changed) return null
  return (
    <Alert
      variant="default"
      icon={<IconAlertTriangle aria-hidden color="var(--mantine-color-red-6)" />}
      title={changeText(payee, momentText)}
    >
      If you did not expect this, call {payee.name} at a number you know before you pay. Fraudsters change account
      details shortly before an invoice.
    </Alert>
  )
}

/** Describes the latest change. Names the account if it is new. */
function changeText({ accounts, changed, date }: PayeeDetails, momentText: (utc: string) => string): string {
  const added = accounts.find((account) => account.date === changed)
  if (changed === date) return `This payee was added on ${momentText(changed)}`
  return added
    ? `${accountText(added)} was added on ${momentText(changed)}`
    : `This payee was changed on ${momentText(changed)}`
}
