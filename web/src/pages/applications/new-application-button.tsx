import { useQueryClient } from '@tanstack/react-query'
import type { NewApplication } from '../../answers.ts'
import { api } from '../../api.ts'
import { CreateButton } from '../../shown/create-button.tsx'
import { ApplicationForm } from './application-form.tsx'
import { applicationsQuery } from './applications-query.ts'
import { ClientSecret } from './client-secret.tsx'

/** Asks for the application's details, then shows its secret once. */
export function NewApplicationButton() {
  const queryClient = useQueryClient()
  return (
    <CreateButton<NewApplication>
      label="New application"
      title={(created) => (created === null ? 'New application' : `${created.name} created`)}
      form={(onDone) => <ApplicationForm send={api.createApplication} onDone={onDone} submit="Create application" />}
      result={({ id, secret }, close) => <ClientSecret id={id} secret={secret} onDone={close} />}
      refresh={() => queryClient.invalidateQueries(applicationsQuery)}
    />
  )
}
