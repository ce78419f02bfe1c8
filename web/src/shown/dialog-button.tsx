import { Button, type ButtonProps, Modal } from '@mantine/core'
import { type ReactNode, useState } from 'react'

type Props = Omit<ButtonProps, 'children'> & {
  label: string
  /** The accessible name when the label alone is ambiguous: "Edit Accounting". */
  name?: string
  title: string
  /** Called whenever the dialog closes. */
  onClose?: () => unknown
  children: (close: () => void) => ReactNode
}

/** A button that opens a dialog with a form. A click outside does not close the dialog, so no input is lost. */
export function DialogButton({ label, name, title, onClose, children, ...button }: Props) {
  const [isOpen, setOpen] = useState(false)
  const close = () => {
    setOpen(false)
    onClose?.()
  }
  return (
    <>
      <Button variant="default" {...button} aria-label={name} onClick={() => setOpen(true)}>
        {label}
      </Button>
      <Modal opened={isOpen} onClose={close} title={title} closeOnClickOutside={false}>
        {children(close)}
      </Modal>
    </>
  )
}
