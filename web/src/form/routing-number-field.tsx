import { Text, TextInput, type TextInputProps } from '@mantine/core'
import { withoutGroups } from '../../../src/foundation/core/routing-number.ts'
import { dayText } from '../shown/moment.tsx'
import { useKnownBank } from '../shown/use-bank-name.ts'

type Props = TextInputProps & { value?: string }

/** Shows the name of the bank as soon as the number is complete, so that the person notices a wrong number. */
export function RoutingNumberField({ value = '', ...rest }: Props) {
  const bank = useKnownBank(withoutGroups(value.trim()))
  return (
    <div>
      <TextInput label="Routing number" inputMode="numeric" autoComplete="off" {...rest} value={value} />
      <Text role="status" size="xs" c="dimmed" mt={bank === null ? 0 : 6}>
        {bank && `${bank.name}, by a list of ${dayText(bank.tableDate)}`}
      </Text>
    </div>
  )
}
