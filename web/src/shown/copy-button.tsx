import { Button, VisuallyHidden } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useEffect, useState } from 'react'

const SHOWN_MS = 2_500

/** Copies a text and confirms it, also to screen readers. `what` completes the name: "Copy client ID". `isShown`: the name is visible. */
export function CopyButton({ text, what, isShown = false }: { text: string; what: string; isShown?: boolean }) {
  const [note, setNote] = useState('')
  useEffect(() => {
    if (note === '') return
    const timer = setTimeout(() => setNote(''), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [note])

  const isCopied = note === COPIED
  return (
    <>
      <Button
        variant="default"
        size="xs"
        leftSection={isCopied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
        onClick={() => copy(text).then(setNote)}
      >
        {note === '' ? (isShown ? `Copy ${what}` : 'Copy') : note}
        {!isShown && <VisuallyHidden component="span">&nbsp;{what}</VisuallyHidden>}
      </Button>
      <VisuallyHidden role="status">{note}</VisuallyHidden>
    </>
  )
}

const COPIED = 'Copied'

/** Copies a text. Browsers allow this only over HTTPS and on localhost. @returns the text that the button then shows */
const copy = (text: string) =>
  Promise.resolve(navigator.clipboard?.writeText(text) ?? Promise.reject()).then(
    () => COPIED,
    () => 'Select the text and copy it',
  )
