import { TextInput } from '@mantine/core'
import { useEffect, useState } from 'react'

type Props = {
  label: string
  value: string | undefined
  error: string | undefined
  className?: string | undefined
  onChange: (day: string | undefined) => unknown
}

/** A day. A half-typed year is a date long ago, so it is ignored. */
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
