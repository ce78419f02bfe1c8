import { SimpleGrid, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'

/** The values of the address fields, for an address in the United States. */
export type AddressLines = { line_1: string; line_2: string; city: string; state: string; zip: string }

type Address = { [line in keyof AddressLines]?: string | null }

/** Returns the initial values of the fields. */
export const addressLines = (address?: Address | null): AddressLines => ({
  line_1: address?.line_1 ?? '',
  line_2: address?.line_2 ?? '',
  city: address?.city ?? '',
  state: address?.state ?? '',
  zip: address?.zip ?? '',
})

/** Returns the address for a request. */
export const addressBody = ({ line_2, ...lines }: AddressLines) => ({
  ...lines,
  ...(line_2.trim() !== '' && { line_2 }),
  country: 'US',
})

type Props<Values> = { form: UseFormReturnType<Values>; description?: string }

/** The postal address of another person, at the path `address` of a form. */
export function AddressFields<Values extends { address: AddressLines }>({ form, description }: Props<Values>) {
  const field = (line: keyof AddressLines) => ({ autoComplete: 'off', ...form.getInputProps(`address.${line}`) })
  return (
    <>
      <TextInput label="Street" description={description} {...field('line_1')} />
      <TextInput label="Apartment or suite" {...field('line_2')} />
      <SimpleGrid cols={{ base: 1, sm: 3 }} spacing="md">
        <TextInput label="City" {...field('city')} />
        <TextInput label="State" {...field('state')} />
        <TextInput label="ZIP code" {...field('zip')} />
      </SimpleGrid>
    </>
  )
}
