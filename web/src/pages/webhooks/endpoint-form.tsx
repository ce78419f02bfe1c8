import { Checkbox, Radio, SimpleGrid, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import type { Endpoint, EventType } from '../../answers.ts'
import { api, type EndpointFields } from '../../api.ts'
import { isGiven } from '../../form/form-rules.ts'
import { ServiceForm } from '../../form/service-form.tsx'
import { useFinish } from '../../shown/use-finish.ts'
import { developerQuery } from '../developer/developer-query.ts'
import { bodyFormats } from './body-formats.ts'
import { eventTypes } from './event-words.ts'
import { endpointsQuery } from './webhook-queries.ts'

type Props = {
  endpoint?: Endpoint
  send: (fields: EndpointFields) => Promise<Endpoint>
  onDone: (endpoint: Endpoint) => unknown
  submit: string
}

/** The form for a new or existing endpoint. */
export function EndpointForm({ endpoint, send, onDone, submit }: Props) {
  const { data: developer } = useQuery(developerQuery)
  const form = useForm({ initialValues: fieldsOf(endpoint), validate: rules })
  return (
    <ServiceForm form={form} send={(fields) => send(requestOf(fields))} onDone={onDone} submit={submit}>
      <TextInput
        label="URL"
        type="url"
        inputMode="url"
        placeholder="https://"
        autoComplete="off"
        data-autofocus
        description={
          developer === undefined
            ? 'An https:// URL'
            : developer.allows_local_webhooks
              ? 'An https:// URL. This environment also allows http://localhost'
              : 'A public https:// URL'
        }
        {...form.getInputProps('url')}
      />
      <TextInput
        label="Name"
        description="Optional. What the endpoint is for, such as “Accounting”"
        autoComplete="off"
        {...form.getInputProps('name')}
      />
      <Checkbox.Group label="Events" {...form.getInputProps('event_types')}>
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm" mt={4} mb={form.errors.event_types ? 6 : 0}>
          {eventTypes.map(({ type, plural, about }) => (
            <Checkbox
              key={type}
              value={type}
              label={plural}
              description={about}
              aria-invalid={form.errors.event_types ? true : undefined}
            />
          ))}
        </SimpleGrid>
      </Checkbox.Group>
      <Radio.Group label="Body" {...form.getInputProps('body_format')}>
        <Stack gap="sm" mt={4}>
          {bodyFormats.map(({ format, name, about }) => (
            <Radio key={format} value={format} label={name} description={about} />
          ))}
        </Stack>
      </Radio.Group>
    </ServiceForm>
  )
}

type NewProps = { onDone: () => void; words: (endpoint: Endpoint) => string }

/** The form for a new endpoint. `words` say that it was added. */
export function NewEndpointForm({ onDone, words }: NewProps) {
  const finish = useFinish(endpointsQuery, onDone)
  return <EndpointForm send={api.createEndpoint} onDone={(endpoint) => finish(words(endpoint))} submit="Add endpoint" />
}

const rules = {
  url: isGiven('Enter a URL.'),
  event_types: (types: EventType[]) => (types.length === 0 ? 'Choose at least one event type.' : null),
}

const fieldsOf = (endpoint?: Endpoint) => ({
  url: endpoint?.url ?? '',
  name: endpoint?.name ?? '',
  event_types: endpoint?.event_types ?? (['CHECK', 'INVOICE'] as EventType[]),
  body_format: endpoint?.body_format ?? 'THIN',
})

const requestOf = ({ url, name, event_types, body_format }: ReturnType<typeof fieldsOf>): EndpointFields => ({
  url: url.trim(),
  name: name.trim() || null,
  event_types,
  body_format,
})
