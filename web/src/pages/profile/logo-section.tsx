import { Group, Stack } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api.ts'
import { ErrorAlert } from '../../error-display.tsx'
import { errorText } from '../../form/field-errors.ts'
import { ImageField } from '../../form/image-field.tsx'
import { useSending } from '../../form/use-sending.ts'
import { WorkingButton } from '../../form/working-button.tsx'
import { Section } from '../../layout/section.tsx'
import { notify } from '../../shown/notify.ts'
import classes from './profile.module.css'
import { PROFILE } from './profile-fields.ts'

/** The largest logo in bytes. The service accepts 512 KiB of base64. */
const MAX_BYTES = 384 * 1024

/** The logo on the page where payees choose how to be paid. */
export function LogoSection({ logo }: { logo: string | null }) {
  const queryClient = useQueryClient()
  const [image, setImage] = useState<string | null>(null)
  const saving = useSending({
    mutationFn: (chosen: string) => api.changeProfile({ brand: { logo: chosen } }),
    onSuccess: async (_, chosen) => {
      notify(chosen === '' ? 'Logo removed' : 'Logo saved')
      await queryClient.invalidateQueries({ queryKey: PROFILE })
    },
  })
  return (
    <Section title="Logo" about="Payees see it on the page where they choose how to be paid.">
      <Stack gap="md" maw={600}>
        {saving.error && <ErrorAlert>{errorText(saving.error)}</ErrorAlert>}
        {logo !== null && <img className={classes.logo} src={logoUrl(logo)} alt="Your logo" />}
        <ImageField
          label={logo === null ? 'Image of the logo' : 'Another image'}
          description="PNG or JPEG, up to 384 KB"
          maxBytes={MAX_BYTES}
          onChange={setImage}
        />
        <Group gap="sm">
          <WorkingButton
            working={saving.isPending && saving.variables !== ''}
            disabled={image === null}
            onClick={() => image !== null && saving.mutate(image)}
          >
            Save logo
          </WorkingButton>
          {logo !== null && (
            <WorkingButton
              variant="default"
              working={saving.isPending && saving.variables === ''}
              onClick={() => saving.mutate('')}
            >
              Remove logo
            </WorkingButton>
          )}
        </Group>
      </Stack>
    </Section>
  )
}

/** Returns the logo as a data URL. It is stored as base64 or as a data URL, and base64 of JPEG files begins with `/9j/`. */
export const logoUrl = (logo: string): string =>
  logo.startsWith('data:') ? logo : `data:image/${logo.startsWith('/9j/') ? 'jpeg' : 'png'};base64,${logo}`
