import { UnstyledButton } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { useServiceContext } from '../service-context.ts'
import classes from './header.module.css'

/** Loads when it is first opened. */
const Palette = lazy(() => import('./palette.tsx'))

const isMac = navigator.platform.startsWith('Mac')

/** Opens the command palette, as Ctrl+K and ⌘K do. */
export function PaletteButton() {
  const { owner } = useServiceContext()
  const [openings, setOpenings] = useState(0)
  const open = () => setOpenings((count) => count + 1)
  const isLoaded = openings > 0
  // Once the palette is loaded, it listens itself.
  useHotkeys([['mod+K', () => isLoaded || open()]], [])
  if (!owner || owner.must_enroll || !owner.permissions.includes('read')) return null
  return (
    <>
      <UnstyledButton
        className={`${classes.link} ${classes.find}`}
        aria-label="Find"
        aria-keyshortcuts="Control+K Meta+K"
        data-keys={isMac ? '⌘K' : 'Ctrl K'}
        onClick={open}
      >
        <IconSearch size={16} aria-hidden />
        <span className={classes.wide}>Find</span>
      </UnstyledButton>
      {isLoaded && (
        <Suspense fallback={null}>
          <Palette openings={openings} />
        </Suspense>
      )}
    </>
  )
}
