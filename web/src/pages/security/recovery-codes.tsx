import { Button, Group, Stack, Text } from '@mantine/core'
import { CopyButton } from '../../shown/copy-button.tsx'
import { ShownOnce } from '../../shown/shown-once.tsx'
import classes from './security.module.css'

/** The way in when the phone is lost; shown this once. */
export const RecoveryCodes = ({ codes, onDone }: { codes: string[]; onDone: () => unknown }) => (
  <Stack gap="md">
    <ShownOnce>Store these recovery codes now: they are shown only this once.</ShownOnce>
    <Text>When you cannot use your app, each of them signs you in once.</Text>
    <ul className={classes.codes} aria-label="Recovery codes">
      {codes.map((code) => (
        <li key={code}>
          <code>{code}</code>
        </li>
      ))}
    </ul>
    <Group justify="space-between">
      <CopyButton text={codes.join('\n')} what="recovery codes" />
      <Button onClick={() => onDone()}>I have stored them</Button>
    </Group>
  </Stack>
)
