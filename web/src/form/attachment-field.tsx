import { FileInput } from '@mantine/core'
import { useState } from 'react'
import { base64Of } from './image-field.tsx'

/** A file in base64. */
export type AttachedFile = { filename: string; content: string }

/** The service takes 10 MiB, and base64 makes a file a third larger. */
const MAX_BYTES = 7 * 1024 * 1024

const TYPES = ['application/pdf', 'image/png', 'image/jpeg']

const problemOf = ({ size, type }: File): string | null =>
  TYPES.includes(type)
    ? size > MAX_BYTES
      ? 'Choose a file of at most 7 MB.'
      : null
    : 'Choose a PDF, PNG or JPEG file.'

type Props = {
  value: AttachedFile | null
  error?: string | undefined
  onChange: (file: AttachedFile | null) => void
}

/** Chooses a PDF, PNG or JPEG file of this device, which goes to the payee. */
export function AttachmentField({ value, error, onChange }: Props) {
  const [file, setFile] = useState<File | null>(value && new File([], value.filename))
  const [problem, setProblem] = useState<string | null>(null)
  const choose = async (chosen: File | null) => {
    const found = chosen && problemOf(chosen)
    setFile(chosen)
    setProblem(found)
    onChange(chosen && found === null ? { filename: chosen.name, content: await base64Of(chosen) } : null)
  }
  return (
    <FileInput
      label="Attachment"
      description="Optional. A PDF, PNG or JPEG that the payee gets, such as an invoice"
      placeholder="Choose a file"
      accept={TYPES.join(',')}
      clearable
      clearButtonProps={{ 'aria-label': 'Remove the file' }}
      value={file}
      error={problem ?? error}
      onChange={choose}
    />
  )
}
