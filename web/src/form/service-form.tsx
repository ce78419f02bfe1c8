import { Group, Stack } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { type ReactNode, type SyntheticEvent, useEffect, useRef, useState } from 'react'
import { ErrorAlert } from '../error-display.tsx'
import { placeError } from './field-errors.ts'
import classes from './service-form.module.css'
import { useSending } from './use-sending.ts'
import { WorkingButton } from './working-button.tsx'

type Props<Values, Answer> = {
  form: UseFormReturnType<Values>
  send: (values: Values) => Promise<Answer>
  /** The button shows its loader until this has also finished. */
  onDone: (answer: Answer, values: Values) => unknown
  submit: string
  fullWidth?: boolean
  children: ReactNode
  /** Shown next to the submit button. */
  aside?: ReactNode
  /** The subject of the form. When it changes, the form clears the previous error. */
  subject?: string | number
}

/** A form that is sent to the service. Shows errors at their fields or on top, and focuses the first one. */
export function ServiceForm<Values extends object, Answer>(props: Props<Values, Answer>) {
  const { form, send, onDone, submit, children, aside, fullWidth = false, subject } = props
  const [general, setGeneral] = useState<string | null>(null)
  const { ref, focusFirstError } = useFirstErrorFocus()
  useEffect(() => setGeneral(null), [subject])

  const sending = useSending({
    mutationFn: send,
    onMutate: () => setGeneral(null),
    onSuccess: async (answer, values) => void (await onDone(answer, values)),
    onError: (error, values) => {
      const placed = placeError(error, values)
      form.setErrors(placed.fields)
      setGeneral(placed.general)
      focusFirstError()
    },
  })

  const onSubmit = (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (sending.isPending) return
    if (form.validate().hasErrors) focusFirstError()
    else sending.mutate(form.values)
  }

  return (
    <form ref={ref} noValidate className={classes.form} onSubmit={onSubmit}>
      <Stack gap="md">
        {general !== null && <ErrorAlert>{general}</ErrorAlert>}
        {children}
        <Group gap="sm" mt={4} className={classes.buttons}>
          <WorkingButton type="submit" working={sending.isPending} fullWidth={fullWidth} size={fullWidth ? 'md' : 'sm'}>
            {submit}
          </WorkingButton>
          {aside}
        </Group>
      </Stack>
    </form>
  )
}

/** Moves the focus to the first error after the next render, because errors are not on the page before. */
function useFirstErrorFocus() {
  const ref = useRef<HTMLFormElement>(null)
  const [failures, setFailures] = useState(0)
  useEffect(() => {
    if (failures > 0) ref.current?.querySelector<HTMLElement>('[aria-invalid="true"], [role="alert"]')?.focus()
  }, [failures])
  return { ref, focusFirstError: () => setFailures((count) => count + 1) }
}
