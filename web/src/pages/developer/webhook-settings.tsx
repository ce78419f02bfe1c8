import { Stack, Text } from '@mantine/core'
import type { Developer } from '../../answers.ts'
import { RouterAnchor } from '../../layout/router-anchor.tsx'
import { useMay } from '../../permission.ts'
import classes from './developer.module.css'
import { WebhookTestButton } from './webhook-test-button.tsx'
import { WebhookUrlForm } from './webhook-url-form.tsx'

export const WebhookSettings = ({ developer }: { developer: Developer }) => (
  <Stack gap="xl">
    {useMay('accounts') ? <WebhookUrlForm developer={developer} /> : <WebhookUrl url={developer.webhook_url} />}
    {developer.webhook_url !== null && <WebhookTestButton key={developer.webhook_url} />}
    <div>
      <Text fw={600}>Signing key</Text>
      <Text mt={2}>
        <code className={classes.key}>{developer.signing_key}</code>
      </Text>
      <Text c="dimmed" size="xs" mt={4}>
        It is shown only when you create an API key. If you lost it,{' '}
        <RouterAnchor to="/settings/webhooks">rotate it</RouterAnchor>.
      </Text>
    </div>
  </Stack>
)

/** Shows the URL to roles that cannot change the profile, which contains it. */
const WebhookUrl = ({ url }: { url: string | null }) => (
  <div>
    <Text fw={600}>Webhook URL</Text>
    <Text mt={2}>{url ?? 'None'}</Text>
    <Text c="dimmed" size="xs" mt={4}>
      An owner or an admin can change it. Additional endpoints are on the page Webhooks.
    </Text>
  </div>
)
