import { errorText } from '../form/field-errors.ts'
import { useSending } from '../form/use-sending.ts'
import { WorkingButton } from '../form/working-button.tsx'
import { notify } from './notify.ts'

type Props = { label: string; name: string; load: () => Promise<Blob>; size?: 'xs' | 'sm' }

/** Loads a file and saves it under a name. */
export function FileButton({ label, name, load, size = 'sm' }: Props) {
  const loading = useSending({
    mutationFn: load,
    onSuccess: (file) => saveFile(file, name),
    onError: (error) => notify(errorText(error)),
  })
  return (
    <WorkingButton variant="default" size={size} working={loading.isPending} onClick={() => loading.mutate()}>
      {label}
    </WorkingButton>
  )
}

export function saveFile(file: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = name
  link.click()
  URL.revokeObjectURL(link.href)
}
