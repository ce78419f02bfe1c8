import { SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import { type UseFormReturnType, useForm } from '@mantine/form'
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { Profile } from '../../answers.ts'
import { api } from '../../api.ts'
import { ServiceForm } from '../../form/service-form.tsx'
import { Section } from '../../layout/section.tsx'
import { useMay } from '../../permission.ts'
import { notify } from '../../shown/notify.ts'
import classes from './profile.module.css'
import { type Fields, findProblems, PROFILE, profileFields, profileRequest } from './profile-fields.ts'

export function ProfileForm({ profile }: { profile: Profile }) {
  const queryClient = useQueryClient()
  const [saved, setSaved] = useState(() => profileFields(profile))
  const form = useForm({ initialValues: saved, validate: (fields) => findProblems(fields, saved) })
  const onDone = async (_: unknown, fields: Fields) => {
    setSaved(fields)
    notify('Profile saved')
    await queryClient.invalidateQueries({ queryKey: PROFILE })
  }
  const sections = (
    <Stack gap="xl">
      <Section title="Name and contact">
        <NameFields form={form} />
      </Section>
      <Section title="Address">
        <AddressFields form={form} />
      </Section>
    </Stack>
  )
  if (!useMay('accounts')) return <ReadOnly>{sections}</ReadOnly>
  return (
    <ServiceForm form={form} send={(fields) => api.changeProfile(profileRequest(fields))} onDone={onDone} submit="Save">
      {sections}
    </ServiceForm>
  )
}

/** Shows the profile to roles that cannot change it. */
const ReadOnly = ({ children }: { children: ReactNode }) => (
  <fieldset disabled className={classes.readOnly} aria-label="Profile, read-only">
    <Text c="dimmed" mb="md">
      Your role can’t change the profile. Ask an owner or an admin.
    </Text>
    {children}
  </fieldset>
)

type Props = { form: UseFormReturnType<Fields> }

const NameFields = ({ form }: Props) => (
  <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
    <TextInput label="First name" autoComplete="given-name" {...form.getInputProps('user.first_name')} />
    <TextInput label="Last name" autoComplete="family-name" {...form.getInputProps('user.last_name')} />
    <TextInput label="Business name" autoComplete="organization" {...form.getInputProps('user.business_name')} />
    <TextInput label="Phone" type="tel" autoComplete="tel" {...form.getInputProps('user.phone')} />
    <TextInput label="Date of birth" type="date" autoComplete="bday" {...form.getInputProps('user.dob')} />
  </SimpleGrid>
)

const AddressFields = ({ form }: Props) => {
  const field = (name: keyof Fields['merchant']['address']) => form.getInputProps(`merchant.address.${name}`)
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
      <TextInput label="Street" autoComplete="address-line1" {...field('line_1')} />
      <TextInput label="Address line 2" autoComplete="address-line2" {...field('line_2')} />
      <TextInput label="City" autoComplete="address-level2" {...field('city')} />
      <TextInput label="State" autoComplete="address-level1" {...field('state')} />
      <TextInput label="ZIP code" autoComplete="postal-code" {...field('zip')} />
      <TextInput label="Country" autoComplete="country" {...field('country')} />
    </SimpleGrid>
  )
}
