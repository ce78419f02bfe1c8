import { Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Attention } from '../../answers.ts'
import { RouterAnchor } from '../../layout/router-anchor.tsx'
import { Section } from '../../layout/section.tsx'
import { useMay } from '../../permission.ts'
import classes from './home.module.css'
import { attentionQuery } from './home-queries.ts'

/** Lists what may need an action. Hidden if the list is empty. */
export function AttentionSection() {
  const { data = [] } = useQuery(attentionQuery)
  if (data.length === 0) return null
  return (
    <Section title="Needs attention">
      <ul className={classes.attention}>
        {data.map((item) => (
          <li key={item.kind}>
            <IconAlertTriangle size={18} stroke={1.75} aria-hidden />
            <Text>
              <Item item={item} />
            </Text>
          </li>
        ))}
      </ul>
    </Section>
  )
}

const words: Record<Attention['kind'], [one: string, many: string]> = {
  payments_failed: ['payment failed in the last 30 days', 'payments failed in the last 30 days'],
  payments_expiring: ['payment expires within 7 days', 'payments expire within 7 days'],
  banks_to_verify: ['bank account waits to be verified', 'bank accounts wait to be verified'],
  users_in_debt: ['user owes money', 'users owe money'],
  webhooks_failing: ['webhook endpoint fails or is disabled', 'webhook endpoints fail or are disabled'],
}

function Item({ item: { kind, count, has_more } }: { item: Attention }): ReactNode {
  const mayOpenWebhooks = useMay('developers')
  const [one, many] = words[kind]
  const text = `${count}${has_more ? '+' : ''} ${count === 1 ? one : many}`
  if (kind === 'payments_failed' || kind === 'payments_expiring') {
    const status = kind === 'payments_failed' ? 'FAILED' : 'UNPAID'
    return (
      <RouterAnchor to="/payments" search={{ status }}>
        {text}
      </RouterAnchor>
    )
  }
  if (kind === 'webhooks_failing' && mayOpenWebhooks) return <RouterAnchor to="/settings/webhooks">{text}</RouterAnchor>
  return text
}
