import { TextInput, type TextInputProps } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useEffect, useState } from 'react'

const PAUSE_MS = 200

type Props = Omit<TextInputProps, 'value' | 'onChange'> & {
  value: string | undefined
  onChange: (value: string | undefined) => unknown
}

/** A text filter. It takes effect when the typing pauses, and at once with Enter. */
export function TypedFilter({ value = '', onChange, ...rest }: Props) {
  const [draft, setDraft] = useState(value)
  useEffect(() => setDraft(value), [value])
  const apply = useDebouncedCallback((text: string) => onChange(text.trim() || undefined), PAUSE_MS)
  return (
    <TextInput
      size="sm"
      {...rest}
      value={draft}
      onChange={({ currentTarget }) => {
        setDraft(currentTarget.value)
        apply(currentTarget.value)
      }}
      onKeyDown={({ key }) => key === 'Enter' && apply.flush()}
    />
  )
}
