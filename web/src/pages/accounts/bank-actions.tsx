import { Button, Group, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import type { Bank } from '../../answers.ts'
import { api } from '../../api.ts'
import { errorText } from '../../form/field-errors.ts'
import { useSending } from '../../form/use-sending.ts'
import { WorkingButton } from '../../form/working-button.tsx'
import { useServiceContext } from '../../service-context.ts'
import { notify } from '../../shown/notify.ts'
import { QuestionButton } from '../../shown/question-button.tsx'
import { banksQuery } from './account-queries.ts'
import { nameOfBank } from './account-words.ts'
import { NicknameButton } from './nickname-button.tsx'
import { VerifyBankButton } from './verify-bank-button.tsx'

export function BankActions({ bank }: { bank: Bank }) {
  const queryClient = useQueryClient()
  const { environment } = useServiceContext() // only in production do the deposits take days
  const name = nameOfBank(bank)
  const refresh = () => queryClient.invalidateQueries(banksQuery)
  const changing = useSending({
    mutationFn: (change: () => Promise<unknown>) => change(),
    onSuccess: refresh,
    onError: (error) => notify(errorText(error)),
  })
  const remove = async () => {
    await api.removeBank(bank.id)
    await refresh()
    notify(`${name} removed`)
  }
  return (
    <Group gap="xs">
      {bank.status === 'DEPOSIT_ONLY' && (
        <WorkingButton
          size="xs"
          working={changing.isPending}
          aria-label={`Verify ${name}`}
          onClick={() => changing.mutate(() => api.releaseBank(bank.id))}
        >
          Verify
        </WorkingButton>
      )}
      {bank.status === 'PENDING' && (
        <VerifyBankButton bank={bank} opensAtOnce={changing.isSuccess && environment !== 'production'} />
      )}
      {!bank.default && (
        <Button
          variant="default"
          size="xs"
          aria-label={`Make default: ${name}`}
          onClick={() => changing.mutate(() => api.changeBank(bank.id, { default: true }))}
        >
          Make default
        </Button>
      )}
      <NicknameButton bank={bank} />
      <QuestionButton
        label="Remove"
        name={`Remove ${name}`}
        title={`Remove ${name}?`}
        confirm="Remove"
        onConfirm={remove}
      >
        <Text>
          Payments that are drawn on it and were not deposited yet can then only be voided. This can’t be undone.
        </Text>
      </QuestionButton>
    </Group>
  )
}
