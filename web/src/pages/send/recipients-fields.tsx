import { Button, Group, NativeSelect, SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { IconPlus } from '@tabler/icons-react'
import { isGiven } from '../../form/form-rules.ts'
import classes from './send.module.css'
import { MAX_RECIPIENTS, MIN_RECIPIENTS, newRecipient, type RecipientFields, type SendFields } from './send-order.ts'

type Form = UseFormReturnType<SendFields>

/** The fields for the payees of one check. All of them endorse it, and one deposits it. */
export function RecipientsFields({ form }: { form: Form }) {
  const { recipients } = form.values
  return (
    <Stack gap={0}>
      <Text c="dimmed" mb="md">
        One check, made out to all of them. Each gets an email and sees the payment. One of them deposits it, after all
        the others have endorsed it.
      </Text>
      {recipients.map(({ key }, index) => (
        <RecipientRow key={key} form={form} index={index} />
      ))}
      <div>
        <Button
          variant="default"
          leftSection={<IconPlus size={16} aria-hidden />}
          disabled={recipients.length === MAX_RECIPIENTS}
          onClick={() => form.insertListItem('recipients', newRecipient())}
        >
          Add payee
        </Button>
      </div>
    </Stack>
  )
}

function RecipientRow({ form, index }: { form: Form; index: number }) {
  const field = (name: keyof RecipientFields) => form.getInputProps(`recipients.${index}.${name}`)
  return (
    <fieldset className={classes.recipient} aria-label={`Payee ${index + 1}`}>
      <Group justify="space-between" mb="xs">
        <Text fw={600}>Payee {index + 1}</Text>
        {form.values.recipients.length > MIN_RECIPIENTS && (
          <Button
            variant="subtle"
            color="red"
            size="compact-sm"
            aria-label={`Remove payee ${index + 1}`}
            onClick={() => form.removeListItem('recipients', index)}
          >
            Remove
          </Button>
        )}
      </Group>
      <SimpleGrid cols={{ base: 1, sm: 3 }} spacing="md">
        <TextInput label="Name" autoComplete="off" {...field('name')} />
        <TextInput label="Email or user ID" autoComplete="off" spellCheck={false} {...field('recipient')} />
        <NativeSelect
          label="Role"
          data={[
            { value: 'deposit', label: 'Can deposit' },
            { value: 'endorse', label: 'Only endorses' },
          ]}
          {...field('role')}
        />
      </SimpleGrid>
    </fieldset>
  )
}

const ofSeveral =
  (rule: (value: string, fields: SendFields, index: number) => string | null) =>
  (value: string, fields: SendFields, path: string) =>
    fields.kind === 'MULTI' ? rule(value, fields, Number(path.split('.')[1])) : null

export const recipientRules = {
  name: ofSeveral(isGiven('Enter the name.')),
  recipient: ofSeveral((value, { recipients }, index) => {
    const same = (one: RecipientFields) => one.recipient.trim().toLowerCase() === value.trim().toLowerCase()
    if (value.trim() === '') return 'Enter an email address or a user ID.'
    return recipients.findIndex(same) < index ? 'This payee is already on the list.' : null
  }),
  role: ofSeveral((_value, { recipients }, index) =>
    index === 0 && recipients.every(({ role }) => role === 'endorse') ? 'One payee must be able to deposit.' : null,
  ),
}
