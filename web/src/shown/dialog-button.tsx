import { Button, type ButtonProps, Modal } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useFocusAfter } from './use-focus-after.ts'

type Props = Omit<ButtonProps, 'children'> & {
  label: string
  /** The accessible name when the label alone is ambiguous: "Edit Accounting". */
  name?: string
  title: string
  /** Whether the dialog is open at first. */
  opensAtOnce?: boolean
  /** Called whenever the dialog closes. */
  onClose?: () => unknown
  children: (close: () => void) => ReactNode
}

/** A button that opens a dialog with a form. A click outside does not close the dialog, so no input is lost. */
export function DialogButton({ label, name, title, opensAtOnce = false, onClose, children, ...button }: Props) {
  const [isOpen, setOpen] = useState(opensAtOnce)
  const restoreFocus = useFocusAfter(isOpen)
  const close = () => {
    setOpen(false)
    onClose?.()
  }
  return (
    <>
      <Button variant="default" {...button} aria-label={name} onClick={() => setOpen(true)}>
        {label}
      </Button>
      <Modal
        opened={isOpen}
        onClose={close}
        title={title}
        closeOnClickOutside={false}
        onExitTransitionEnd={restoreFocus}
      >
        {children(close)}
      </Modal>
    </>
  )
}
