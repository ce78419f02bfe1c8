import { Group, SegmentedControl } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Section } from '../../layout/section.tsx'
import { CopyButton } from '../../shown/copy-button.tsx'
import { Loaded } from '../../shown/loaded.tsx'
import { eventQuery } from './webhook-queries.ts'
import classes from './webhooks.module.css'

/** The event body, formatted or as the exact bytes that are signed. */
export function EventBodySection({ event }: { event: string }) {
  const [form, setForm] = useState('pretty')
  const query = useQuery(eventQuery(event))
  return (
    <Section
      title="Event body"
      about="The signature covers the raw body, byte for byte."
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
      <Loaded query={query}>
        {({ body }) => (
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
      </Loaded>
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
