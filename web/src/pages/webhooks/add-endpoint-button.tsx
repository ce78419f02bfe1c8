import { IconPlus } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { api } from '../../api.ts'
import { DialogButton } from '../../shown/dialog-button.tsx'
import { notify } from '../../shown/notify.ts'
import { EndpointForm } from './endpoint-form.tsx'
import { endpointsQuery } from './webhook-queries.ts'
import { nameOf } from './webhook-words.ts'

export function AddEndpointButton() {
  const queryClient = useQueryClient()
  return (
    <DialogButton
      label="Add endpoint"
      title="Add endpoint"
      variant="filled"
      leftSection={<IconPlus size={16} aria-hidden />}
    >
      {(close) => (
        <EndpointForm
          send={api.createEndpoint}
          onDone={async (endpoint) => {
            await queryClient.invalidateQueries(endpointsQuery)
            close()
            notify(`${nameOf(endpoint)} added`)
          }}
          submit="Add endpoint"
        />
      )}
    </DialogButton>
  )
}
