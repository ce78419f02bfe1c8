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

/** The fields of an application, new or changed. */
export function ApplicationForm<Answer>({ application, send, onDone, submit }: Props<Answer>) {
  const form = useForm({ initialValues: fieldsOf(application), validate: rules })
  return (
    <ServiceForm form={form} send={(fields) => send(requestOf(fields))} onDone={onDone} submit={submit}>
      <TextInput
        label="Name"
        description="People see it when they are asked to authorize"
        autoComplete="off"
        data-autofocus
        {...form.getInputProps('name')}
      />
      <TextInput
        label="Site"
        type="url"
        placeholder="https://"
        autoComplete="off"
        description="The https:// address of its website"
        {...form.getInputProps('site')}
      />
      <Textarea
        label="Redirect URIs"
        description="One a line, up to ten. People return to one of these, compared letter by letter"
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
        description="Optional. Told of the payments that it sends for others"
        {...form.getInputProps('webhook_url')}
      />
      <Checkbox
        label="Require PKCE (recommended)"
        description="An authorization without a code challenge (RFC 7636) is refused. Most OAuth libraries send one"
        {...form.getInputProps('requires_pkce', { type: 'checkbox' })}
      />
      <Checkbox
        label="Rotate refresh tokens"
        description="Each refresh gives a new refresh token and ends the previous one. Using an old one again ends the access"
        {...form.getInputProps('rotates_refresh_tokens', { type: 'checkbox' })}
      />
    </ServiceForm>
  )
}

const rules = {
  name: isGiven('Enter a name.'),
  site: isGiven('Enter the address of its website.'),
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
