import { FileInput } from '@mantine/core'
import { useState } from 'react'
import { readBase64 } from './read-base64.ts'

type Props = { label: string; description: string; maxBytes: number; onChange: (base64: string | null) => void }

/** Chooses a PNG or JPEG file of this device. */
export function ImageField({ label, description, maxBytes, onChange }: Props) {
  const [file, setFile] = useState<File | null>(null)
  const [error, setError] = useState<string | null>(null)
  const choose = async (chosen: File | null) => {
    setFile(chosen)
    const isTooLarge = chosen !== null && chosen.size > maxBytes
    setError(isTooLarge ? `Choose an image of at most ${Math.floor(maxBytes / 1024)} KB.` : null)
    onChange(chosen === null || isTooLarge ? null : await readBase64(chosen))
  }
  return (
    <FileInput
      label={label}
      description={description}
      placeholder="Choose a file"
      accept="image/png,image/jpeg"
      clearable
      clearButtonProps={{ 'aria-label': 'Remove the file' }}
      value={file}
      error={error}
      onChange={choose}
    />
  )
}
