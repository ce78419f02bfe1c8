import { Code, Stack, Text, Title } from '@mantine/core'
import type { BankConnection } from '../../answers.ts'
import { Moment } from '../../shown/moment.tsx'

/** The cases of a connection that wait for the operator, with the command that shows what to do. */
export const CasesSection = ({ connection: { cases } }: { connection: BankConnection }) =>
  cases.length === 0 ? null : (
    <div>
      <Title order={3} mb="xs">
        Open cases
      </Title>
      <Stack gap="sm">
        {cases.map(({ id, text, opened_at }) => (
          <div key={id}>
            <Text>{text}</Text>
            <Text c="dimmed" size="sm">
              Since <Moment utc={opened_at} />. Decide with <Code>remit exceptions show {id}</Code>
            </Text>
          </div>
        ))}
      </Stack>
    </div>
  )
