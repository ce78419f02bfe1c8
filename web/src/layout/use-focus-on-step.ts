import { useEffect, useRef } from 'react'
import { focusHeading } from './page-heading.tsx'

/** Focuses the heading of the page when another step is shown, because the button that led to it is gone. */
export function useFocusOnStep(step: string): void {
  const shown = useRef(step)
  useEffect(() => {
    if (shown.current !== step) focusHeading()
    shown.current = step
  }, [step])
}
