import { FileInput } from '@mantine/core'
import { useState } from 'react'
import { readBase64 } from './read-base64.ts'

/** A file in base64. */
export type AttachedFile = { filename: string; content: string }

/** The largest file in megabytes. The service accepts 10 MiB, and base64 makes a file a third larger. */
const MAX_MB = 7

const TYPES = ['application/pdf', 'image/png', 'image/jpeg']

const problemOf = ({ size, type }: File): string | null =>
  TYPES.includes(type)
    ? size > MAX_MB * 1_000_000
      ? `Choose a file of at most ${MAX_MB} MB.`
      : null
    : 'Choose a PDF, PNG or JPEG file.'

type Props = {
  label: string
  description: string
  value: AttachedFile | null
  error: string | undefined
  onChange: (file: AttachedFile | null) => void
}

/** Chooses a PDF, PNG or JPEG file of this device to attach. */
export function AttachmentField({ label, description, value, error, onChange }: Props) {
  const [file, setFile] = useState<File | null>(value && new File([], value.filename))
  const [problem, setProblem] = useState<string | null>(null)
  const choose = async (chosen: File | null) => {
    const found = chosen && problemOf(chosen)
    setFile(chosen)
    setProblem(found)
    onChange(chosen && found === null ? { filename: chosen.name, content: await readBase64(chosen) } : null)
  }
  return (
    <FileInput
      label={label}
      description={`${description} PDF, PNG or JPEG, up to ${MAX_MB} MB`}
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
