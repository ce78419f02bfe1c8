import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api } from '../../api.ts'
import { ErrorAlert } from '../../error-display.tsx'
import { WorkingButton } from '../../form/working-button.tsx'
import { Section } from '../../layout/section.tsx'
import { useServiceContext } from '../../service-context.ts'
import { Fact, Facts } from '../../shown/facts.tsx'
import { Loaded } from '../../shown/loaded.tsx'
import { useAccountName } from '../accounts/use-account-name.ts'
import { InvoiceSheet } from '../payer/invoice-sheet.tsx'
import { logoUrl } from '../profile/logo-section.tsx'
import { PROFILE } from '../profile/profile-fields.ts'
import { amountOfInvoice, type InvoiceFields, shownLines } from './invoice-order.ts'
import classes from './invoice-preview.module.css'

type Props = {
  fields: InvoiceFields
  today: string
  problem: string | null
  isSending: boolean
  isUnsure: boolean
  onSend: () => void
  onChange: () => void
}

/** The second step of a new invoice: a preview of the payer's view. */
export function InvoicePreview({ fields, today, problem, isSending, isUnsure, onSend, onChange }: Props) {
  const account = useAccountName(fields.account === '' ? null : fields.account)
  return (
    <Section title="Preview" about={`This is how ${fields.name.trim()} will see the invoice.`}>
      {problem !== null && <ErrorAlert>{problem}</ErrorAlert>}
      <div className={classes.columns}>
        <Sheet fields={fields} today={today} />
        <Stack gap="lg">
          <Facts>
            <Fact label="Sent to">{fields.recipient}</Fact>
            <Fact label="Paid into">{account === null ? 'Default bank account' : account}</Fact>
            {fields.attachment && <Fact label="Attachment">{fields.attachment.filename}</Fact>}
          </Facts>
          <Group gap="sm">
            <WorkingButton working={isSending} onClick={onSend}>
              Send invoice
            </WorkingButton>
            <Button variant="default" onClick={onChange} disabled={isSending}>
              Change
            </Button>
          </Group>
          <Text role="status" c="dimmed">
            {isUnsure && isSending && 'Checking whether the invoice was sent…'}
          </Text>
        </Stack>
      </div>
    </Section>
  )
}

function Sheet({ fields, today }: { fields: InvoiceFields; today: string }) {
  const { owner } = useServiceContext()
  const profile = useQuery({ queryKey: PROFILE, queryFn: api.profile })
  return (
    <Loaded query={profile}>
      {({ user, brand }) => {
        const sender = user.business_name ?? owner?.platform ?? ''
        return (
          <Paper component="article" aria-label="The invoice" className={classes.sheet}>
            <InvoiceSheet
              heading={<Title order={3}>{`Invoice from ${sender}`}</Title>}
              content={{
                sender,
                logo: brand.logo ? logoUrl(brand.logo) : null,
                amount: amountOfInvoice(fields),
                description: fields.description.trim(),
                name: fields.name.trim(),
                number: fields.number.trim() || String(user.invoice_number),
                sent: today,
                due_date: fields.due_date || null,
                is_overdue: false,
                terms: fields.terms.trim() || null,
                lines: shownLines(fields),
              }}
            />
          </Paper>
        )
      }}
    </Loaded>
  )
}
