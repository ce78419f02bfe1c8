import { Button, Group, Stack, Text } from '@mantine/core'
import { CopyButton } from '../../shown/copy-button.tsx'
import { ShownOnce } from '../../shown/shown-once.tsx'
import classes from './security.module.css'

/** Recovery codes for a lost phone, shown only once. */
export const RecoveryCodes = ({ codes, onDone }: { codes: string[]; onDone: () => unknown }) => (
  <Stack gap="md">
    <ShownOnce>Save these recovery codes now. You won’t be able to see them again.</ShownOnce>
    <Text>If you lose your phone, you can sign in with one of these. Each code works once.</Text>
    <ul className={classes.codes} aria-label="Recovery codes">
      {codes.map((code) => (
        <li key={code}>
          <code>{code}</code>
        </li>
      ))}
    </ul>
    <Group justify="space-between">
      <CopyButton text={codes.join('\n')} what="recovery codes" />
      <Button onClick={() => onDone()}>Done</Button>
    </Group>
  </Stack>
)
