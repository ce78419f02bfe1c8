import { Modal, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Application, RotatedSecret } from '../../answers.ts'
import { api } from '../../api.ts'
import { QuestionButton } from '../../shown/question-button.tsx'
import { applicationsQuery } from './applications-query.ts'
import { ClientSecret } from './client-secret.tsx'

/** Gives an application a new secret. The old one keeps working for a day, so that the application is not interrupted. */
export function RotateSecretButton({ application }: { application: Application }) {
  const queryClient = useQueryClient()
  const [rotated, setRotated] = useState<RotatedSecret | null>(null)
  const rotate = async () => {
    setRotated(await api.rotateSecret(application.id))
    await queryClient.invalidateQueries(applicationsQuery)
  }
  return (
    <>
      <QuestionButton
        label="Rotate secret"
        name={`Rotate secret of ${application.name}`}
        title="Rotate client secret?"
        confirm="Rotate"
        onConfirm={rotate}
        color="petrol"
      >
        <Text>
          <strong>{application.name}</strong> gets a new client secret. The old one keeps working for 24 hours, so you
          have time to replace it.
        </Text>
      </QuestionButton>
      <Modal
        opened={rotated !== null}
        onClose={() => setRotated(null)}
        title="New client secret"
        size="lg"
        closeOnClickOutside={false}
      >
        {rotated !== null && (
          <ClientSecret
            id={application.id}
            secret={rotated.secret}
            previousExpires={rotated.previous_secret_expires}
            onDone={() => setRotated(null)}
          />
        )}
      </Modal>
    </>
  )
}
