import { Modal } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import type { Bank } from '../../answers.ts'
import { api } from '../../api.ts'
import { notify } from '../../shown/notify.ts'
import { BankForm } from '../accounts/add-bank-button.tsx'
import { AmountsForm } from '../accounts/verify-bank-button.tsx'
import { CreateUserDialog } from '../users/create-user-button.tsx'
import { EndpointForm } from '../webhooks/endpoint-form.tsx'
import { endpointsQuery } from '../webhooks/webhook-queries.ts'
import { nameOf } from '../webhooks/webhook-words.ts'

/** The step whose dialog is open. */
export type OpenStep = { step: 'bank' | 'webhook' | 'user' } | { step: 'verify'; bank: Bank }

type Props = { open: OpenStep; isOpen: boolean; onClose: () => void; onExited: () => void }

const titles = { bank: 'Add a bank account', verify: 'Verify the bank account', webhook: 'Add endpoint' } as const

/** The forms of the first steps. It is the default export, because React loads it lazily. */
export default function StepDialog({ open, isOpen, onClose, onExited }: Props) {
  if (open.step === 'user') return <CreateUserDialog isOpen={isOpen} onClose={onClose} onExited={onExited} />
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      onExitTransitionEnd={onExited}
      title={titles[open.step]}
      closeOnClickOutside={false}
    >
      {open.step === 'bank' && <BankForm onDone={onClose} />}
      {open.step === 'verify' && <AmountsForm bank={open.bank} onDone={onClose} />}
      {open.step === 'webhook' && <NewEndpointForm onDone={onClose} />}
    </Modal>
  )
}

function NewEndpointForm({ onDone }: { onDone: () => void }) {
  const queryClient = useQueryClient()
  return (
    <EndpointForm
      send={api.createEndpoint}
      onDone={async (endpoint) => {
        await queryClient.invalidateQueries(endpointsQuery)
        onDone()
        notify(`${nameOf(endpoint)} added. It gets the next event, or a test event from the page Webhooks`)
      }}
      submit="Add endpoint"
    />
  )
}
