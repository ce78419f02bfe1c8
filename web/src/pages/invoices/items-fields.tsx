import { Button, CloseButton, Group, Stack, Text, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { IconPlus } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import { MAX_ITEMS, totalsOfItems } from '../../../../src/orders/invoice/invoice-items-rules.ts'
import { AmountField } from '../../form/amount-field.tsx'
import { dollars } from '../../shown/dollars.ts'
import { addUpItems, type InvoiceFields, type ItemFields, newItem, toItem } from './invoice-order.ts'
import classes from './items-fields.module.css'

type Form = UseFormReturnType<InvoiceFields>

/** The fields for the amount of an invoice, which is typed or is the total of the lines. */
export function AmountFields({ form }: { form: Form }) {
  const { items } = form.values
  const addButton = useRef<HTMLButtonElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const lastCount = useRef(items.length)
  useEffect(() => {
    if (items.length > lastCount.current)
      list.current?.querySelector<HTMLInputElement>('fieldset:last-of-type input')?.focus()
    if (items.length < lastCount.current) addButton.current?.focus()
    lastCount.current = items.length
  }, [items.length])
  return (
    <Stack gap="md">
      {items.length === 0 && (
        <AmountField label="Amount" required maw={{ base: undefined, sm: 220 }} {...form.getInputProps('amount')} />
      )}
      {items.length > 0 && (
        <div ref={list}>
          {items.map((item, index) => (
            <ItemRow key={item.key} form={form} item={item} index={index} />
          ))}
        </div>
      )}
      <Group justify="space-between" align="flex-start" gap="lg">
        <Button
          ref={addButton}
          variant="default"
          leftSection={<IconPlus size={16} aria-hidden />}
          disabled={items.length === MAX_ITEMS}
          onClick={() => form.insertListItem('items', newItem())}
        >
          {items.length === 0 ? 'Add line items' : 'Add line'}
        </Button>
        {items.length > 0 && <Totals form={form} />}
      </Group>
    </Stack>
  )
}

function ItemRow({ form, item, index }: { form: Form; item: ItemFields; index: number }) {
  const field = (name: keyof ItemFields) => ({ autoComplete: 'off', ...form.getInputProps(`items.${index}.${name}`) })
  const read = toItem(item)
  const [total] = read ? totalsOfItems([read]).lines : []
  return (
    <fieldset className={classes.item} aria-label={`Line ${index + 1}`}>
      <TextInput label="Item" className={classes.text} maxLength={255} {...field('description')} />
      <TextInput label="Quantity" inputMode="decimal" {...field('quantity')} />
      <AmountField label="Unit price" {...field('unit_price')} />
      <TextInput label="Tax %" inputMode="decimal" placeholder="0" {...field('tax_rate')} />
      <Text className={classes.total} data-empty={total === undefined}>
        {total === undefined ? '–' : dollars(total.netCents / 100)}
      </Text>
      <CloseButton
        className={classes.remove}
        aria-label={`Remove line ${index + 1}`}
        onClick={() => form.removeListItem('items', index)}
      />
    </fieldset>
  )
}

/** The total of the lines. Screen readers announce its changes. */
function Totals({ form }: { form: Form }) {
  const { subtotalCents, taxCents, totalCents } = addUpItems(form.values)
  const error = form.errors.amount
  return (
    <div className={classes.totals}>
      {taxCents > 0 && (
        <dl>
          <dt>Subtotal</dt>
          <dd>{dollars(subtotalCents / 100)}</dd>
          <dt>Tax</dt>
          <dd>{dollars(taxCents / 100)}</dd>
        </dl>
      )}
      <p role="status">
        <span>Total</span> <span>{dollars(totalCents / 100)}</span>
      </p>
      {error && (
        <Text role="alert" tabIndex={-1} size="xs" c="var(--mantine-color-error)">
          {error}
        </Text>
      )}
    </div>
  )
}
