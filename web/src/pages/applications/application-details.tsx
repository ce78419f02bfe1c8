import { Anchor, Group, Stack, Text } from '@mantine/core'
import type { Application } from '../../answers.ts'
import { Section } from '../../layout/section.tsx'
import { Fact, Facts } from '../../shown/facts.tsx'
import { hostOf } from '../../shown/host-of.ts'
import { Moment } from '../../shown/moment.tsx'
import { ShownValue } from '../../shown/shown-value.tsx'
import { DeleteApplicationButton } from './delete-application-button.tsx'
import { EditApplicationButton } from './edit-application-button.tsx'
import { RotateSecretButton } from './rotate-secret-button.tsx'
import { ShowSecretButton } from './show-secret-button.tsx'

export const ApplicationDetails = ({ application }: { application: Application }) => (
  <Section
    title={application.name}
    about={
      <Anchor href={application.site} rel="noopener noreferrer" underline="always" inherit>
        {hostOf(application.site)}
      </Anchor>
    }
    action={<EditApplicationButton application={application} />}
  >
    <Stack gap="lg">
      <ShownValue label="Client ID" what={`client ID of ${application.name}`} value={application.id} />
      <Facts>
        <Fact label="Redirect URIs" isCode>
          {application.redirect_uris.map((uri) => (
            <div key={uri}>{uri}</div>
          ))}
        </Fact>
        <Fact label="Webhook URL" isCode={application.webhook_url !== null}>
          {application.webhook_url ?? 'None'}
        </Fact>
        <Fact label="PKCE">{application.requires_pkce ? 'Required' : 'Optional (we recommend requiring it)'}</Fact>
        <Fact label="Refresh tokens">{application.rotates_refresh_tokens ? 'Rotated' : 'Not rotated'}</Fact>
        <Fact label="Created">
          <Moment utc={application.date} />
        </Fact>
      </Facts>
      {application.previous_secret_expires !== null && (
        <Text c="dimmed">
          The previous client secret works until <Moment utc={application.previous_secret_expires} />.
        </Text>
      )}
      <Group gap="sm">
        <ShowSecretButton application={application} />
        <RotateSecretButton application={application} />
        <DeleteApplicationButton application={application} />
      </Group>
    </Stack>
  </Section>
)
