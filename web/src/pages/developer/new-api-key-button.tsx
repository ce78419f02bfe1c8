import { Button, Modal } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import type { NewApiKey } from '../../answers.ts'
import { type NewApiKeyFields, NewApiKeyForm } from './new-api-key-form.tsx'
import { NewApiKeySecrets } from './new-api-key-secrets.tsx'

type Props = {
  create: (body: NewApiKeyFields) => Promise<NewApiKey>
  /** Called when the key has been created, while its secrets are shown. */
  onCreated: () => unknown
}

/** Asks for name and expiry, then shows the secrets once. */
export function NewApiKeyButton({ create, onCreated }: Props) {
  const [isOpen, setOpen] = useState(false)
  const [created, setCreated] = useState<NewApiKey | null>(null)
  const close = () => {
    setOpen(false)
    setCreated(null)
  }
  return (
    <>
      <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setOpen(true)}>
        New API key
      </Button>
      <Modal
        opened={isOpen}
        onClose={close}
        title={created === null ? 'New API key' : 'Your new API key'}
        size="lg"
        closeOnClickOutside={created === null}
      >
        {created === null ? (
          <NewApiKeyForm
            create={create}
            onCreated={async (key) => {
              setCreated(key)
              await onCreated()
            }}
          />
        ) : (
          <NewApiKeySecrets created={created} onDone={close} />
        )}
      </Modal>
    </>
  )
}
