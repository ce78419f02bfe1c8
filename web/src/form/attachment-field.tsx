import { FileInput } from '@mantine/core'
import { useState } from 'react'
import { base64Of } from './base64-of.ts'

/** A file of this device, and its content in base64. */
export type ChosenFile = { file: File; content: string }

/** The service takes 10 MiB of JSON, in which the file is a third longer. */
const MAX_MB = 7

type Props = {
  label: string
  description: string
  value: ChosenFile | null
  error: string | undefined
  onChange: (file: ChosenFile | null) => void
}

/** Chooses a PDF, PNG or JPEG file to attach. */
export function AttachmentField({ label, description, value, error, onChange }: Props) {
  const [problem, setProblem] = useState<string | null>(null)
  const choose = async (file: File | null) => {
    const isTooLarge = file !== null && file.size > MAX_MB * 1_000_000
    setProblem(isTooLarge ? `Choose a file of at most ${MAX_MB} MB.` : null)
    onChange(file === null || isTooLarge ? null : { file, content: await base64Of(file) })
  }
  return (
    <FileInput
      label={label}
      description={`${description} PDF, PNG or JPEG, up to ${MAX_MB} MB.`}
      placeholder="Choose a file"
      accept="application/pdf,image/png,image/jpeg"
      clearable
      clearButtonProps={{ 'aria-label': 'Remove the file' }}
      value={value?.file ?? null}
      error={problem ?? error}
      onChange={choose}
    />
  )
}
