import { Button, Group, Text } from '@mantine/core'
import { IconCircleCheck, IconClockHour4 } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Section } from '../../layout/section.tsx'
import classes from './send.module.css'

type Props = {
  title: string
  /** Whether another person must release the payment first. */
  isWaiting?: boolean
  children: ReactNode
  /** Links to the created payment. */
  links: ReactNode
  onAgain: () => void
}

/** The last step: shows what was created, with a link to it. */
export const DoneSection = ({ title, isWaiting = false, children, links, onAgain }: Props) => (
  <div className={classes.step}>
    <Section title={title}>
      <div className={classes.done} data-waiting={isWaiting}>
        {isWaiting ? (
          <IconClockHour4 size={40} stroke={1.5} aria-hidden />
        ) : (
          <IconCircleCheck size={40} stroke={1.5} aria-hidden />
        )}
        <Text role="status">{children}</Text>
        <Group gap="sm">
          {links}
          <Button variant="default" onClick={onAgain}>
            Send another
          </Button>
        </Group>
      </div>
    </Section>
  </div>
)
