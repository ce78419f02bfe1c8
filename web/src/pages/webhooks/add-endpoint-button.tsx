import { IconPlus } from '@tabler/icons-react'
import { DialogButton } from '../../shown/dialog-button.tsx'
import { NewEndpointForm } from './endpoint-form.tsx'
import { nameOf } from './webhook-words.ts'

export const AddEndpointButton = () => (
  <DialogButton
    label="Add endpoint"
    title="Add endpoint"
    variant="filled"
    leftSection={<IconPlus size={16} aria-hidden />}
  >
    {(close) => <NewEndpointForm onDone={close} words={(endpoint) => `${nameOf(endpoint)} added`} />}
  </DialogButton>
)
