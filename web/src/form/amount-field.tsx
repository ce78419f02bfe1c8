import { TextInput, type TextInputProps } from '@mantine/core'

/** A number of dollars as text. `parseAmount` reads it. */
export const AmountField = (props: TextInputProps) => (
  <TextInput inputMode="decimal" placeholder="0.00" leftSection="$" autoComplete="off" {...props} />
)
