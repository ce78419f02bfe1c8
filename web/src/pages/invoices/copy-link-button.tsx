import { Modal, Text } from '@mantine/core'
import { useState } from 'react'
import { api } from '../../api.ts'
import { errorText } from '../../form/field-errors.ts'
import { useSending } from '../../form/use-sending.ts'
import { WorkingButton } from '../../form/working-button.tsx'
import { useMay } from '../../permission.ts'
import { notify } from '../../shown/notify.ts'
import { ShownValue } from '../../shown/shown-value.tsx'
import { useFocusAfter } from '../../shown/use-focus-after.ts'

/** Copies a new link to the payer's page. Where the browser refuses the clipboard, a dialog shows the link. */
export function CopyLinkButton({ id }: { id: string }) {
  const [shown, setShown] = useState<string | null>(null)
  const restoreFocus = useFocusAfter(shown !== null)
  const copying = useSending({
    mutationFn: () => api.createInvoiceLink(id),
    onSuccess: async (url) => {
      const isCopied = await writeText(url)
      if (isCopied) notify('Link copied. It shows the invoice. Payment needs the link from the email.')
      else setShown(url)
    },
    onError: (error) => notify(errorText(error)),
  })
  if (!useMay('prepare')) return null
  return (
    <>
      <WorkingButton variant="default" working={copying.isPending} onClick={() => copying.mutate()}>
        Copy link
      </WorkingButton>
      <Modal
        opened={shown !== null}
        onClose={() => setShown(null)}
        title="Link to the invoice"
        onExitTransitionEnd={restoreFocus}
      >
        <Text mb="md">Anyone with this link can see the invoice. Payment needs the link from the email.</Text>
        {shown !== null && <ShownValue label="Link" value={shown} what="link" />}
      </Modal>
    </>
  )
}

/** Copies a text. Browsers allow this only over HTTPS and on localhost. */
const writeText = (text: string): Promise<boolean> =>
  Promise.resolve(navigator.clipboard?.writeText(text) ?? Promise.reject()).then(
    () => true,
    () => false,
  )
