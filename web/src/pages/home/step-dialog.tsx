import { Modal } from '@mantine/core'
import type { Bank, Endpoint } from '../../answers.ts'
import { BankForm } from '../accounts/add-bank-button.tsx'
import { AmountsForm } from '../accounts/verify-bank-button.tsx'
import { CreateUserDialog } from '../users/create-user-button.tsx'
import { NewEndpointForm } from '../webhooks/endpoint-form.tsx'
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
      {open.step === 'webhook' && <NewEndpointForm onDone={onClose} words={endpointAdded} />}
    </Modal>
  )
}

const endpointAdded = (endpoint: Endpoint) =>
  `${nameOf(endpoint)} added. It gets the next event, or a test event from the page Webhooks`
