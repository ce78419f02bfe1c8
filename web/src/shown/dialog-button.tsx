import { Button, type ButtonProps, Modal } from '@mantine/core'
import { type ReactNode, useState } from 'react'

type Props = Omit<ButtonProps, 'children'> & {
  label: string
  /** The accessible name where the label alone does not say of what: "Edit Accounting". */
  name?: string
  title: string
  /** Called however the dialog was closed. */
  onClose?: () => unknown
  children: (close: () => void) => ReactNode
}

/** A button that opens a dialog with a form. What was typed is not lost by a click beside it. */
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
