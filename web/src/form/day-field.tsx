import { TextInput } from '@mantine/core'
import { useEffect, useState } from 'react'

type Props = {
  label: string
  value: string | undefined
  error: string | undefined
  className?: string | undefined
  onChange: (day: string | undefined) => unknown
}

/** A field for a day. It ignores years before 2000, because such a year is half-typed. */
export function DayField({ label, value = '', error, className, onChange }: Props) {
  const [draft, setDraft] = useState(value)
  useEffect(() => setDraft(value), [value])
  return (
    <TextInput
      label={label}
      type="date"
      size="sm"
      value={draft}
      error={error}
      className={className}
      onChange={({ currentTarget: { value: day } }) => {
        setDraft(day)
        if (day === '' || day >= '2000') onChange(day || undefined)
      }}
    />
  )
}
