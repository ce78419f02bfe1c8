import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { dollars } from '../../shown/dollars.ts'
import { Fact, Facts } from '../../shown/facts.tsx'
import { Day } from '../../shown/moment.tsx'
import recipientClasses from '../recipient/recipient-page.module.css'
import { InvoiceLines, type ShownLines } from './invoice-lines.tsx'
import classes from './invoice-sheet.module.css'

export type SheetContent = {
  sender: string
  logo: string | null
  amount: number
  description: string
  name: string
  number: string
  /** `YYYY-MM-DD`. */
  sent: string
  due_date: string | null
  is_overdue: boolean
  terms: string | null
  lines: ShownLines
}

/** The payer's view of an invoice. */
export const InvoiceSheet = ({ content, heading }: { content: SheetContent; heading: ReactNode }) => {
  const { sender, logo, amount, description, name, number, sent, due_date, is_overdue, terms, lines } = content
  return (
    <>
      {logo !== null && <img src={logo} alt={`${sender} logo`} className={recipientClasses.logo} />}
      {heading}
      <div>
        <p className={recipientClasses.amount}>{dollars(amount)}</p>
        {due_date !== null && (
          <p className={classes.due} data-overdue={is_overdue}>
            {is_overdue ? 'Overdue. It was due ' : 'Due '}
            <Day date={due_date} />
          </p>
        )}
      </div>
      <section aria-label="Note" className={recipientClasses.note}>
        <Text fw={600}>{description}</Text>
      </section>
      <section aria-label="Details">
        <Facts>
          <Fact label="To">{name}</Fact>
          <Fact label="Invoice number">{number}</Fact>
          <Fact label="Sent">
            <Day date={sent} />
          </Fact>
        </Facts>
      </section>
      {lines.items.length > 0 && <InvoiceLines lines={lines} total={amount} />}
      {terms !== null && (
        <section aria-label="Terms">
          <Text size="sm" fw={600}>
            Terms
          </Text>
          <Text size="sm" className={classes.terms}>
            {terms}
          </Text>
        </section>
      )}
    </>
  )
}
