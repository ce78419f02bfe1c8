import { useEffect, useRef } from 'react'
import { focusHeading } from '../layout/page-heading.tsx'

/**
 * A dialog gives the focus back to its button. If what was done in the dialog has removed the button, the heading of the page
 * gets it: otherwise the keyboard would start again at the top.
 *
 * @returns to be called when the dialog has closed
 */
export function useFocusAfter(isOpen: boolean): () => void {
  const hasOpened = useRef(isOpen)
  if (isOpen) hasOpened.current = true
  useEffect(() => () => void (hasOpened.current && restoreFocus()), [])
  return restoreFocus
}

/** Later, because Mantine and the router move the focus first. */
const restoreFocus = () =>
  void setTimeout(() => {
    if (document.activeElement === document.body) focusHeading()
  }, 50)
