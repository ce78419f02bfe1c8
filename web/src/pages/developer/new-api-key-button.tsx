import type { NewApiKey } from '../../answers.ts'
import { CreateButton } from '../../shown/create-button.tsx'
import { type NewApiKeyFields, NewApiKeyForm } from './new-api-key-form.tsx'
import { NewApiKeySecrets } from './new-api-key-secrets.tsx'

type Props = {
  create: (body: NewApiKeyFields) => Promise<NewApiKey>
  /** Called when the key has been created, while its secrets are shown. */
  onCreated: () => unknown
}

/** Asks for name and expiry, then shows the secrets once. */
export const NewApiKeyButton = ({ create, onCreated }: Props) => (
  <CreateButton<NewApiKey>
    label="New API key"
    title={(created) => (created === null ? 'New API key' : 'Your new API key')}
    form={(onDone) => <NewApiKeyForm create={create} onCreated={onDone} />}
    result={(created, close) => <NewApiKeySecrets created={created} onDone={close} />}
    refresh={onCreated}
    closesOutside
  />
)
