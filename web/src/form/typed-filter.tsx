import { TextInput, type TextInputProps } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useEffect, useRef, useState } from 'react'

const PAUSE_MS = 200

type Props = Omit<TextInputProps, 'value' | 'onChange'> & {
  value: string | undefined
  onChange: (value: string | undefined) => unknown
  /** Returns the value that a text leads to. */
  read?: (text: string) => string | undefined
}

/** A text filter. It takes effect when the typing pauses, and at once with Enter. */
export function TypedFilter({ value = '', onChange, read = trimmed, ...rest }: Props) {
  const [draft, setDraft] = useState(value)
  const typed = useRef<string | undefined>(value)
  useEffect(() => {
    // The value that was typed here comes back late. The person may have typed on, so it must not replace the text.
    if (value === (typed.current ?? '')) return
    typed.current = value
    setDraft(value)
  }, [value])
  const apply = useDebouncedCallback((text: string) => {
    typed.current = read(text)
    onChange(text.trim() || undefined)
  }, PAUSE_MS)
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

const trimmed = (text: string): string | undefined => text.trim() || undefined
