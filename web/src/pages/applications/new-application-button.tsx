import { Button, Modal } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { NewApplication } from '../../answers.ts'
import { api } from '../../api.ts'
import { ApplicationForm } from './application-form.tsx'
import { applicationsQuery } from './applications-query.ts'
import { ClientSecret } from './client-secret.tsx'

/** Asks for the application's details, then shows its secret once. */
export function NewApplicationButton() {
  const queryClient = useQueryClient()
  const [isOpen, setOpen] = useState(false)
  const [created, setCreated] = useState<NewApplication | null>(null)
  const close = () => {
    setOpen(false)
    setCreated(null)
  }
  const onCreated = async (application: NewApplication) => {
    setCreated(application)
    await queryClient.invalidateQueries(applicationsQuery)
  }
  return (
    <>
      <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setOpen(true)}>
        New application
      </Button>
      <Modal
        opened={isOpen}
        onClose={close}
        title={created === null ? 'New application' : `${created.name} created`}
        size="lg"
        closeOnClickOutside={false}
      >
        {created === null ? (
          <ApplicationForm send={api.createApplication} onDone={onCreated} submit="Create application" />
        ) : (
          <ClientSecret id={created.id} secret={created.secret} onDone={close} />
        )}
      </Modal>
    </>
  )
}
