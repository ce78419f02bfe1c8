import { Group, Text } from '@mantine/core'
import { CopyButton } from './copy-button.tsx'
import classes from './shown-value.module.css'

/** An id, a key or a secret in monospace, with a copy button. A click selects all of it. */
export function ShownValue({ label, value, what }: { label: string; value: string; what: string }) {
  return (
    <div>
      <Text fw={600} mb={6}>
        {label}
      </Text>
      <Group gap="xs">
        <code className={classes.value}>{value}</code>
        <CopyButton text={value} what={what} />
      </Group>
    </div>
  )
}
