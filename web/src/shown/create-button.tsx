import { Button, Modal } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'

type Content<Created> = {
  /** `created` is null until the service has created the object. */
  title: (created: Created | null) => string
  form: (onCreated: (created: Created) => Promise<void>) => ReactNode
  /** Shows what was created, with its secrets. */
  result: (created: Created, close: () => void) => ReactNode
  /** Called when the object exists, while the result is shown. */
  refresh: () => unknown
  /** Whether a click outside closes the form. */
  closesOutside?: boolean
}

/** A button that opens a dialog with a form, then shows what was created. */
export function CreateButton<Created>({ label, ...content }: Content<Created> & { label: string }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setOpen(true)}>
        {label}
      </Button>
      <CreateDialog {...content} isOpen={isOpen} onClose={() => setOpen(false)} />
    </>
  )
}

export type DialogProps = { isOpen: boolean; onClose: () => void; onExited?: () => void }

export function CreateDialog<Created>(props: Content<Created> & DialogProps) {
  const { isOpen, onClose, onExited, title, form, result, refresh, closesOutside = false } = props
  const [created, setCreated] = useState<Created | null>(null)
  const close = () => {
    onClose()
    setCreated(null)
  }
  const onCreated = async (made: Created) => {
    setCreated(() => made)
    await refresh()
  }
  return (
    <Modal
      opened={isOpen}
      onClose={close}
      {...(onExited && { onExitTransitionEnd: onExited })}
      title={title(created)}
      size="lg"
      closeOnClickOutside={closesOutside && created === null}
    >
      {created === null ? form(onCreated) : result(created, close)}
    </Modal>
  )
}
