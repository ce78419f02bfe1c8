import { Checkbox, Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { Application } from '../../answers.ts'
import type { ApplicationFields } from '../../api.ts'
import { isGiven } from '../../form/form-rules.ts'
import { ServiceForm } from '../../form/service-form.tsx'

type Props<Answer> = {
  application?: Application
  send: (fields: ApplicationFields) => Promise<Answer>
  onDone: (answer: Answer) => unknown
  submit: string
}

/** The form for a new or existing application. */
export function ApplicationForm<Answer>({ application, send, onDone, submit }: Props<Answer>) {
  const form = useForm({ initialValues: fieldsOf(application), validate: rules })
  return (
    <ServiceForm form={form} send={(fields) => send(requestOf(fields))} onDone={onDone} submit={submit}>
      <TextInput
        label="Name"
        description="Shown to people when they authorize your application"
        autoComplete="off"
        data-autofocus
        {...form.getInputProps('name')}
      />
      <TextInput
        label="Website"
        type="url"
        placeholder="https://"
        autoComplete="off"
        description="Your application’s website, starting with https://"
        {...form.getInputProps('site')}
      />
      <Textarea
        label="Redirect URIs"
        description="One per line, up to ten. Must match the redirect_uri of your requests exactly"
        autosize
        minRows={2}
        spellCheck={false}
        {...form.getInputProps('redirect_uris')}
      />
      <TextInput
        label="Webhook URL"
        type="url"
        placeholder="https://"
        autoComplete="off"
        description="Optional. Gets an event when a payment changes that your application sent"
        {...form.getInputProps('webhook_url')}
      />
      <Checkbox
        label="Require PKCE (recommended)"
        description="Rejects authorization requests without a code challenge (RFC 7636). Most OAuth libraries send one"
        {...form.getInputProps('requires_pkce', { type: 'checkbox' })}
      />
      <Checkbox
        label="Rotate refresh tokens"
        description="Each refresh returns a new refresh token. Reusing an old one ends the access"
        {...form.getInputProps('rotates_refresh_tokens', { type: 'checkbox' })}
      />
    </ServiceForm>
  )
}

const rules = {
  name: isGiven('Enter a name.'),
  site: isGiven('Enter a website.'),
  redirect_uris: isGiven('Enter at least one redirect URI.'),
}

const fieldsOf = (application?: Application) => ({
  name: application?.name ?? '',
  site: application?.site ?? '',
  redirect_uris: application?.redirect_uris.join('\n') ?? '',
  webhook_url: application?.webhook_url ?? '',
  requires_pkce: application?.requires_pkce ?? false,
  rotates_refresh_tokens: application?.rotates_refresh_tokens ?? false,
})

const requestOf = (fields: ReturnType<typeof fieldsOf>): ApplicationFields => ({
  name: fields.name.trim(),
  site: fields.site.trim(),
  redirect_uris: fields.redirect_uris
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== ''),
  webhook_url: fields.webhook_url.trim() || null,
  requires_pkce: fields.requires_pkce,
  rotates_refresh_tokens: fields.rotates_refresh_tokens,
})
