import { UnstyledButton } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { lazy, Suspense, useRef, useState } from 'react'
import { useServiceContext } from '../service-context.ts'
import classes from './header.module.css'

/** The palette, loaded when it is first opened. */
const Palette = lazy(() => import('./palette.tsx'))

const isMac = navigator.platform.startsWith('Mac')

/** Collects keys until the palette has the focus, so that none is lost. */
const EarlyInput = ({ onType }: { onType: (text: string) => void }) => (
  <input
    ref={(input) => input?.focus()}
    className={classes.unseen}
    aria-label="Find a page, action, payment or user"
    onChange={({ currentTarget }) => onType(currentTarget.value)}
  />
)

/** Opens the command palette, as Ctrl+K and ⌘K do. */
export function PaletteButton() {
  const { owner } = useServiceContext()
  const [openings, setOpenings] = useState(0)
  const open = () => setOpenings((count) => count + 1)
  const isLoaded = openings > 0
  const [isReady, setReady] = useState(false)
  const typed = useRef('')
  // After the palette is loaded, it handles the shortcut itself.
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
      {isLoaded && !isReady && (
        <EarlyInput
          onType={(text) => {
            typed.current = text
          }}
        />
      )}
      {isLoaded && (
        <Suspense fallback={null}>
          <Palette openings={openings} typed={typed} onReady={() => setReady(true)} />
        </Suspense>
      )}
    </>
  )
}
