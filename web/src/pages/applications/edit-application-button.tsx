import { Button, Modal } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Application } from '../../answers.ts'
import { api } from '../../api.ts'
import { notify } from '../../shown/notify.ts'
import { ApplicationForm } from './application-form.tsx'
import { applicationsQuery } from './applications-query.ts'

export function EditApplicationButton({ application }: { application: Application }) {
  const queryClient = useQueryClient()
  const [isOpen, setOpen] = useState(false)
  const onDone = async () => {
    await queryClient.invalidateQueries(applicationsQuery)
    setOpen(false)
    notify('Changes saved')
  }
  return (
    <>
      <Button variant="default" aria-label={`Edit ${application.name}`} onClick={() => setOpen(true)}>
        Edit
      </Button>
      <Modal
        opened={isOpen}
        onClose={() => setOpen(false)}
        title={`Edit ${application.name}`}
        size="lg"
        closeOnClickOutside={false}
      >
        <ApplicationForm
          application={application}
          send={(fields) => api.changeApplication(application.id, fields)}
          onDone={onDone}
          submit="Save changes"
        />
      </Modal>
    </>
  )
}
