import { Button, Group, SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { isAmount } from '../../form/form-rules.ts'
import classes from './send.module.css'
import { MAX_REMITTANCE_LINES, newRemittance, type RemittanceFields, type SendFields } from './send-order.ts'

type Form = UseFormReturnType<SendFields>

/** The fields for the invoices that a payment pays. The payee sees them. */
export function RemittanceRows({ form }: { form: Form }) {
  const lines = form.values.remittance_advice
  const [added, setAdded] = useState<number | null>(null)
  const add = () => {
    form.insertListItem('remittance_advice', newRemittance())
    setAdded(lines.length)
  }
  return (
    <Stack gap={0}>
      {lines.map(({ key }, index) => (
        <RemittanceRow key={key} form={form} index={index} isAdded={index === added} />
      ))}
      <Group gap="sm">
        <Button
          variant="default"
          leftSection={<IconPlus size={16} aria-hidden />}
          disabled={lines.length === MAX_REMITTANCE_LINES}
          onClick={add}
        >
          Add invoice
        </Button>
        {lines.length === 0 && (
          <Text c="dimmed" size="xs">
            Optional. Tells the payee which invoices you pay
          </Text>
        )}
      </Group>
    </Stack>
  )
}

/** The fields of one invoice. `isAdded`: the person has just added it, so its first field gets the focus. */
function RemittanceRow({ form, index, isAdded }: { form: Form; index: number; isAdded: boolean }) {
  const field = (name: keyof RemittanceFields) => ({
    autoComplete: 'off',
    ...form.getInputProps(`remittance_advice.${index}.${name}`),
  })
  return (
    <fieldset className={classes.recipient} aria-label={`Invoice ${index + 1}`}>
      <Group justify="space-between" mb="xs">
        <Text fw={600}>Invoice {index + 1}</Text>
        <Button
          variant="subtle"
          color="red"
          size="compact-sm"
          aria-label={`Remove invoice ${index + 1}`}
          onClick={() => form.removeListItem('remittance_advice', index)}
        >
          Remove
        </Button>
      </Group>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
        <TextInput label="Invoice number" autoFocus={isAdded} {...field('id')} />
        <TextInput label="Invoice date" type="date" {...field('date')} />
        <TextInput label="Amount paid" placeholder="Optional" inputMode="decimal" {...field('amount')} />
        <TextInput label="Note" placeholder="Optional" {...field('description')} />
      </SimpleGrid>
    </fieldset>
  )
}

export const remittanceRules = {
  id: (value: string) => (value.trim() === '' ? 'Enter the number of the invoice.' : null),
  date: (value: string) => (value === '' ? 'Enter the date of the invoice.' : null),
  amount: (value: string) => (value.trim() === '' ? null : isAmount(value)),
}
