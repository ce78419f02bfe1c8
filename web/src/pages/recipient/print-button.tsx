import { IconDownload } from '@tabler/icons-react'
import { api, type OpenedLink } from '../../api.ts'
import { ErrorAlert } from '../../error-display.tsx'
import { errorText } from '../../form/field-errors.ts'
import { useSending } from '../../form/use-sending.ts'
import { WorkingButton } from '../../form/working-button.tsx'

const URL_KEPT_MS = 60_000

type Props = { link: OpenedLink; label: string; amount?: number | undefined; disabled?: boolean; onDone: () => unknown }

/** Downloads the printable check. `amount` is the amount that the payee typed before the first download. */
export function PrintButton({ link, label, amount, disabled = false, onDone }: Props) {
  const printing = useSending({
    mutationFn: () => api.printLinked({ ...link, ...(amount !== undefined && { amount }) }),
    onSuccess: async (pdf) => {
      download(pdf)
      await onDone()
    },
  })
  return (
    <>
      {printing.error && <ErrorAlert>{errorText(printing.error)}</ErrorAlert>}
      <WorkingButton
        size="md"
        fullWidth
        disabled={disabled}
        leftSection={<IconDownload size={18} aria-hidden />}
        working={printing.isPending}
        onClick={() => printing.mutate()}
      >
        {label}
      </WorkingButton>
    </>
  )
}

function download(pdf: Blob): void {
  const url = URL.createObjectURL(pdf)
  const anchor = document.createElement('a')
  anchor.href = url
  anchor.download = 'check.pdf'
  anchor.click()
  setTimeout(() => URL.revokeObjectURL(url), URL_KEPT_MS)
}
