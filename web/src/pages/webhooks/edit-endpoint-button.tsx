import { useQueryClient } from '@tanstack/react-query'
import type { Endpoint } from '../../answers.ts'
import { api } from '../../api.ts'
import { DialogButton } from '../../shown/dialog-button.tsx'
import { notify } from '../../shown/notify.ts'
import { EndpointForm } from './endpoint-form.tsx'
import { endpointsQuery } from './webhook-queries.ts'
import { nameOf } from './webhook-words.ts'

export function EditEndpointButton({ endpoint }: { endpoint: Endpoint }) {
  const queryClient = useQueryClient()
  const name = nameOf(endpoint)
  return (
    <DialogButton label="Edit" name={`Edit ${name}`} title={`Edit ${name}`} size="xs">
      {(close) => (
        <EndpointForm
          endpoint={endpoint}
          send={(fields) => api.changeEndpoint(endpoint.id, fields)}
          onDone={async () => {
            await queryClient.invalidateQueries(endpointsQuery)
            close()
            notify('Changes saved')
          }}
          submit="Save changes"
        />
      )}
    </DialogButton>
  )
}
