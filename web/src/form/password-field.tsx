import { PasswordInput, type PasswordInputProps } from '@mantine/core'
import { useState } from 'react'

type Props = Omit<PasswordInputProps, 'autoComplete'> & { autoComplete: 'current-password' | 'new-password' | 'off' }

/** A password field with a button that reveals the password. */
export function PasswordField(props: Props) {
  const [isVisible, setVisible] = useState(false)
  return (
    <PasswordInput
      required
      aria-invalid={props.error ? true : undefined}
      visible={isVisible}
      onVisibilityChange={setVisible}
      visibilityToggleFocusable
      visibilityToggleButtonProps={{ type: 'button', 'aria-label': 'Show characters' }}
      {...props}
    />
  )
}

export const NEW_PASSWORD_HINT = 'At least 8 characters'
