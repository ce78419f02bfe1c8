import { Group } from '@mantine/core'
import type { ReactNode } from 'react'
import { Section } from '../layout/section.tsx'
import { CopyButton } from './copy-button.tsx'
import classes from './curl-section.module.css'

/** A command to copy. */
export const CurlSection = ({ about, command }: { about: ReactNode; command: string }) => (
  <Section title="Try it again" about={about}>
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard */}
    <pre className={classes.command} tabIndex={0}>
      {command}
    </pre>
    <Group>
      <CopyButton text={command} what="as curl" isShown />
    </Group>
  </Section>
)
