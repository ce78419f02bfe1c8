import { useEffect, useRef } from 'react'
import { focusHeading } from './page-heading.tsx'

/**
 * Focuses the heading of the page when a new step is shown, because the button that led to it has disappeared. If `hasErrors`, it
 * focuses the first field with an error instead.
 */
export function useFocusOnStep(step: string, hasErrors = false): void {
  const shown = useRef(step)
  useEffect(() => {
    if (shown.current === step) return
    shown.current = step
    const field = hasErrors && document.querySelector<HTMLElement>('main [aria-invalid="true"], main [role="alert"]')
    if (field) field.focus()
    else focusHeading()
  }, [step, hasErrors])
}
