import { Group, SegmentedControl, Text } from '@mantine/core'
import { useState } from 'react'
import { Section } from '../../layout/section.tsx'
import { CopyButton } from '../../shown/copy-button.tsx'
import classes from './webhooks.module.css'

/** The body of a webhook, formatted or as the exact bytes that are signed. Null before the first attempt with a full body. */
export function EventBodySection({ body, about = '' }: { body: string | null; about?: string }) {
  const [form, setForm] = useState('pretty')
  return (
    <Section
      title="Event body"
      about={`The signature covers the raw body, byte for byte.${about}`}
      action={
        <SegmentedControl
          aria-label="Body format"
          data={[
            { value: 'pretty', label: 'Pretty' },
            { value: 'raw', label: 'Raw' },
          ]}
          value={form}
          onChange={setForm}
        />
      }
    >
      {body === null ? (
        <Text>The full body is made when the first attempt is sent.</Text>
      ) : (
        <>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard */}
          <pre className={classes.code} tabIndex={0}>
            {form === 'raw' ? body : pretty(body)}
          </pre>
          <Group>
            <CopyButton text={body} what="raw body" />
          </Group>
        </>
      )}
    </Section>
  )
}

function pretty(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), null, 2)
  } catch {
    return json
  }
}
