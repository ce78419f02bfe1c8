import { ActionIcon, useComputedColorScheme, useMantineColorScheme } from '@mantine/core'
import { useColorScheme } from '@mantine/hooks'
import { IconMoon, IconSun } from '@tabler/icons-react'

/**
 * Switches between light and dark. The system's preference is stored as "auto", so that the page follows later
 * changes.
 */
export function ColorSchemeButton() {
  const { setColorScheme } = useMantineColorScheme()
  const shown = useComputedColorScheme('light')
  const preferred = useColorScheme('light', { getInitialValueInEffect: false })
  const next = shown === 'dark' ? 'light' : 'dark'
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      size="lg"
      aria-label={next === 'dark' ? 'Use dark colors' : 'Use light colors'}
      onClick={() => setColorScheme(next === preferred ? 'auto' : next)}
    >
      {next === 'dark' ? <IconMoon size={18} aria-hidden /> : <IconSun size={18} aria-hidden />}
    </ActionIcon>
  )
}
