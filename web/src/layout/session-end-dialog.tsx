import { Anchor, Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { api } from '../api.ts'
import { ErrorAlert } from '../error-display.tsx'
import { errorText } from '../form/field-errors.ts'
import { useSending } from '../form/use-sending.ts'
import { WorkingButton } from '../form/working-button.tsx'
import { useServiceContext } from '../service-context.ts'
import { isSessionEnding, sessionEndsAt, setSessionSeconds } from '../session-end.ts'
import { leaveSignedOut } from './leave-signed-out.ts'

const LOOK_MS = 1_000
/** The time between two questions to the service whether another tab has kept the session alive. */
const ASK_MS = 15_000

type State = 'open' | 'ending' | 'ended'

/** Warns before an unused session ends. The page stays open after the end, so that entered text is not lost. */
export function SessionEndDialog() {
  const { owner } = useServiceContext()
  const [state, setState] = useState<State>('open')
  const person = owner && `${owner.id} ${owner.email}`
  const askedAt = useRef(0)

  async function ask(): Promise<State> {
    askedAt.current = Date.now()
    const { owner: now } = await api.context()
    if (now === null) return 'ended'
    if (`${now.id} ${now.email}` !== person) window.location.assign('/')
    setSessionSeconds(now.session_seconds)
    return isSessionEnding() ? 'ending' : 'open'
  }

  const look = useRef(() => {})
  look.current = () => {
    if (!isSessionEnding() || state === 'ended') return
    const isOver = sessionEndsAt() <= Date.now()
    if (Date.now() - askedAt.current < (isOver ? LOOK_MS : ASK_MS)) return
    void ask().then(setState, () => {}) // if the service is unreachable, the next look asks again
  }
  useEffect(() => {
    if (owner) setSessionSeconds(owner.session_seconds)
    const timer = window.setInterval(() => look.current(), LOOK_MS)
    return () => window.clearInterval(timer)
  }, [owner])

  const staying = useSending({ mutationFn: ask, onSuccess: setState })
  const leaving = useSending({ mutationFn: api.signOut, onSuccess: leaveSignedOut })
  const hasEnded = state === 'ended'
  return (
    <Modal
      opened={state !== 'open'}
      onClose={() => staying.mutate()}
      withCloseButton={false}
      closeOnClickOutside={false}
      title={hasEnded ? 'You were signed out' : 'Are you still there?'}
      zIndex={400}
      overlayProps={hasEnded ? { backgroundOpacity: 1, color: 'var(--mantine-color-body)' } : {}}
    >
      <Stack gap="md">
        {staying.error && <ErrorAlert>{errorText(staying.error)}</ErrorAlert>}
        {hasEnded && staying.data === 'ended' && <ErrorAlert>You are not signed in yet.</ErrorAlert>}
        {hasEnded && <Text>Nobody used this page for a day. What you entered is still here.</Text>}
        {state === 'ending' && (
          <Text>Nobody has used this page for a while. You will be signed out at {time.format(sessionEndsAt())}.</Text>
        )}
        {hasEnded && (
          <Anchor href="/sign-in" target="_blank">
            Sign in in a new tab
          </Anchor>
        )}
        <Group justify="flex-end" gap="sm">
          {!hasEnded && (
            <Button variant="default" onClick={() => leaving.mutate()}>
              Sign out
            </Button>
          )}
          <WorkingButton working={staying.isPending} onClick={() => staying.mutate()} data-autofocus>
            {hasEnded ? 'Continue' : 'Stay signed in'}
          </WorkingButton>
        </Group>
      </Stack>
    </Modal>
  )
}

const time = new Intl.DateTimeFormat('en-US', { timeStyle: 'short' })
