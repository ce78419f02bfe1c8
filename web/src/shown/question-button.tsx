import { Button, type ButtonProps, Group, Modal, Stack } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { ErrorAlert } from '../error-display.tsx'
import { errorText } from '../form/field-errors.ts'
import { useSending } from '../form/use-sending.ts'
import { WorkingButton } from '../form/working-button.tsx'
import { focusHeading } from '../layout/page-heading.tsx'

type Props = {
  label: string
  /** The accessible name when the label alone is ambiguous: "Revoke Server key". */
  name?: string
  title: string
  confirm: string
  onConfirm: () => Promise<unknown>
  onOpen?: () => void
  children: ReactNode
  button?: ButtonProps
  /** Red by default. Use another color when nothing is lost. */
  color?: string
}

/** A button for an action that cannot be undone. Asks for confirmation and shows errors. */
export function QuestionButton(props: Props) {
  const { label, name, title, confirm, onConfirm, onOpen, children, button, color = 'red' } = props
  const [isOpen, setOpen] = useState(false)
  const doing = useSending({
    mutationFn: onConfirm,
    onSuccess: () => {
      setOpen(false)
      focusHeading() // The button may have disappeared with its row.
    },
  })
  const open = () => {
    onOpen?.()
    setOpen(true)
  }
  const close = () => {
    setOpen(false)
    doing.reset()
  }
  return (
    <>
      <Button variant="default" size="xs" {...button} aria-label={name} onClick={open}>
        {label}
      </Button>
      <Modal opened={isOpen} onClose={close} title={title} returnFocus={!doing.isSuccess}>
        <Stack gap="md">
          {doing.error && <ErrorAlert>{errorText(doing.error)}</ErrorAlert>}
          {children}
          <Group justify="flex-end" gap="sm">
            <Button variant="default" onClick={close} data-autofocus>
              Cancel
            </Button>
            <WorkingButton color={color} working={doing.isPending} onClick={() => doing.mutate()}>
              {confirm}
            </WorkingButton>
          </Group>
        </Stack>
      </Modal>
    </>
  )
}
