import { Menu, Text } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import type { Platform } from '../answers.ts'
import { api } from '../api.ts'
import { errorText } from '../form/field-errors.ts'
import { useSending } from '../form/use-sending.ts'
import { roleWords } from '../role-words.ts'
import { notify } from '../shown/notify.ts'

/** Lists the platforms of the person, if there are several. Choosing one reloads the page, so that no data of the previous one stays. */
export function PlatformItems({ platforms }: { platforms: Platform[] }) {
  const switching = useSending({
    mutationFn: api.switchPlatform,
    onSuccess: () => window.location.assign('/'),
    onError: (error) => notify(errorText(error)),
  })
  if (platforms.length < 2) return null
  return (
    <>
      <Menu.Divider />
      <Menu.Label>Platforms</Menu.Label>
      {platforms.map(({ id, name, role, is_this }) => (
        <Menu.Item
          key={id}
          {...(is_this && { 'aria-current': true })}
          rightSection={is_this && <IconCheck size={16} aria-hidden />}
          onClick={() => (is_this ? undefined : switching.mutate(id))}
        >
          <Text truncate fw={is_this ? 600 : 400}>
            {name}
          </Text>
          <Text c="inherit" size="xs">
            {roleWords[role].name}
          </Text>
        </Menu.Item>
      ))}
      <Menu.Divider />
    </>
  )
}
