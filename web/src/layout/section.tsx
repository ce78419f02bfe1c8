import { Group, Paper, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './section.module.css'

type Props = { title: string; about?: ReactNode; action?: ReactNode; children?: ReactNode }

/** A section of a settings page: a heading, a description, and at most one main action. */
export function Section({ title, about, action, children }: Props) {
  return (
    <Paper component="section" className={classes.section}>
      <Stack gap="lg">
        <Group justify="space-between" align="flex-start" gap="md">
          <div className={classes.words}>
            <Title order={2}>{title}</Title>
            {about !== undefined && (
              <Text c="dimmed" mt={4} maw="72ch">
                {about}
              </Text>
            )}
          </div>
          {action}
        </Group>
        {children}
      </Stack>
    </Paper>
  )
}
