import { Group, Text, Title } from '@mantine/core'
import type { Endpoint } from '../../answers.ts'
import { RouterAnchor } from '../../layout/router-anchor.tsx'
import { CopyButton } from '../../shown/copy-button.tsx'
import { Fact, Facts } from '../../shown/facts.tsx'
import { Moment } from '../../shown/moment.tsx'
import { nameOfBodyFormat } from './body-formats.ts'
import { EndpointActions } from './endpoint-actions.tsx'
import { EndpointState } from './endpoint-state.tsx'
import { wordsOfType } from './event-words.ts'
import { EndpointBadge } from './status-badge.tsx'
import { nameOf } from './webhook-words.ts'
import classes from './webhooks.module.css'

export function EndpointDetails({ endpoint }: { endpoint: Endpoint }) {
  const { id, url } = endpoint
  const name = nameOf(endpoint)
  return (
    <li className={classes.endpoint}>
      <Group justify="space-between" gap="xs">
        <Group gap="sm">
          <Title order={3}>{name}</Title>
          <EndpointBadge endpoint={endpoint} />
        </Group>
        <Text>
          <RouterAnchor
            to="/settings/webhooks/deliveries"
            search={{ endpoint: id }}
            aria-label={`Deliveries to ${name}`}
          >
            Deliveries
          </RouterAnchor>
        </Text>
      </Group>
      <EndpointState endpoint={endpoint} />
      <Facts>
        <Fact label="URL">
          <Group gap="xs">
            <code className={classes.url}>{url}</code>
            <CopyButton text={url} what={`URL of ${name}`} />
          </Group>
        </Fact>
        <Fact label="Events">{endpoint.event_types.map((type) => wordsOfType(type).plural).join(', ')}</Fact>
        <Fact label="Body">{nameOfBodyFormat(endpoint.body_format)}</Fact>
        <Fact label="Added">
          <Moment utc={endpoint.date} />
        </Fact>
      </Facts>
      <EndpointActions endpoint={endpoint} />
    </li>
  )
}
