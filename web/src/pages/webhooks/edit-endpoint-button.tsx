import type { Endpoint } from '../../answers.ts'
import { api } from '../../api.ts'
import { DialogButton } from '../../shown/dialog-button.tsx'
import { useFinish } from '../../shown/use-finish.ts'
import { EndpointForm } from './endpoint-form.tsx'
import { endpointsQuery } from './webhook-queries.ts'
import { nameOf } from './webhook-words.ts'

export function EditEndpointButton({ endpoint }: Props) {
  const name = nameOf(endpoint)
  return (
    <DialogButton label="Edit" name={`Edit ${name}`} title={`Edit ${name}`} size="xs">
      {(close) => <ChangeForm endpoint={endpoint} onDone={close} />}
    </DialogButton>
  )
}

type Props = { endpoint: Endpoint }

function ChangeForm({ endpoint, onDone }: Props & { onDone: () => void }) {
  const finish = useFinish(endpointsQuery, onDone)
  return (
    <EndpointForm
      endpoint={endpoint}
      send={(fields) => api.changeEndpoint(endpoint.id, fields)}
      onDone={() => finish('Changes saved')}
      submit="Save changes"
    />
  )
}
