import { TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { Bank } from '../../answers.ts'
import { api } from '../../api.ts'
import { ServiceForm } from '../../form/service-form.tsx'
import { DialogButton } from '../../shown/dialog-button.tsx'
import { useFinish } from '../../shown/use-finish.ts'
import { banksQuery } from './account-queries.ts'
import { nameOfBank } from './account-words.ts'

/** Sets a nickname, which only the pages show. Checks show the name that the bank account got when it was added. */
export const NicknameButton = ({ bank }: { bank: Bank }) => (
  <DialogButton
    label="Nickname"
    name={`Nickname of ${nameOfBank(bank)}`}
    title={`Nickname of ${nameOfBank(bank)}`}
    size="xs"
  >
    {(close) => <NicknameForm bank={bank} onDone={close} />}
  </DialogButton>
)

function NicknameForm({ bank, onDone }: { bank: Bank; onDone: () => void }) {
  const finish = useFinish(banksQuery, onDone)
  const form = useForm({ initialValues: { nickname: bank.nickname ?? '' } })
  return (
    <ServiceForm
      form={form}
      send={({ nickname }) => api.nameBank(bank.id, nickname.trim() || null)}
      onDone={() => finish('Nickname saved')}
      submit="Save nickname"
    >
      <TextInput
        label="Nickname"
        description="Shown to your team instead of the account’s name. Leave it empty to remove it."
        autoComplete="off"
        maxLength={60}
        data-autofocus
        {...form.getInputProps('nickname')}
      />
    </ServiceForm>
  )
}
