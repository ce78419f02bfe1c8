import { useEffect, useRef } from 'react'
import { focusHeading } from '../layout/page-heading.tsx'

/**
 * A dialog returns the focus to its button. If the action of the dialog has removed the button, the heading of the page gets the
 * focus. Otherwise the keyboard would start again at the top.
 *
 * @returns a function to call when the dialog has closed
 */
export function useFocusAfter(isOpen: boolean): () => void {
  const hasOpened = useRef(isOpen)
  if (isOpen) hasOpened.current = true
  useEffect(() => () => void (hasOpened.current && restoreFocus()), [])
  return restoreFocus
}

/** Moves the focus after a delay, because Mantine and the router move it first. */
const restoreFocus = () =>
  void setTimeout(() => {
    if (document.activeElement === document.body) focusHeading()
  }, 50)
