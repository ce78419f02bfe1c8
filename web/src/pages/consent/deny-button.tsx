import { api } from '../../api.ts'
import { ErrorAlert } from '../../error-display.tsx'
import { errorText } from '../../form/field-errors.ts'
import { useSending } from '../../form/use-sending.ts'
import { WorkingButton } from '../../form/working-button.tsx'
import { leaveTo } from './leave-to.ts'

/** Denying needs no sign-in. */
export function DenyButton({ uid }: { uid: string }) {
  const denying = useSending({ mutationFn: () => api.deny(uid), onSuccess: leaveTo })
  return (
    <>
      <WorkingButton variant="default" size="md" fullWidth working={denying.isPending} onClick={() => denying.mutate()}>
        Deny
      </WorkingButton>
      {denying.error && <ErrorAlert>{errorText(denying.error)}</ErrorAlert>}
    </>
  )
}
