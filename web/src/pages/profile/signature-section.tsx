import { Group, SegmentedControl, Skeleton, Stack, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api.ts'
import { ErrorAlert } from '../../error-display.tsx'
import { errorText } from '../../form/field-errors.ts'
import { ImageField } from '../../form/image-field.tsx'
import { SignaturePad } from '../../form/signature-pad.tsx'
import { useSending } from '../../form/use-sending.ts'
import { WorkingButton } from '../../form/working-button.tsx'
import { Section } from '../../layout/section.tsx'
import { notify } from '../../shown/notify.ts'
import classes from './profile.module.css'

const SAMPLE = ['profile', 'sample-check']

/** The signature on checks: drawn or uploaded, and shown on a sample. */
export function SignatureSection() {
  const queryClient = useQueryClient()
  const [way, setWay] = useState('draw')
  const [image, setImage] = useState<string | null>(null)
  const saving = useSending({
    mutationFn: api.storeSignature,
    onSuccess: async () => {
      notify('Signature saved')
      await queryClient.invalidateQueries({ queryKey: SAMPLE })
    },
  })
  return (
    <Section title="Signature" about="It is printed on the checks that you send. A new signature replaces it.">
      <Stack gap="md" maw={600}>
        <SegmentedControl
          aria-label="How to sign"
          data={[
            { value: 'draw', label: 'Draw' },
            { value: 'upload', label: 'Upload' },
          ]}
          value={way}
          onChange={(value) => {
            setWay(value)
            setImage(null)
          }}
        />
        {saving.error && <ErrorAlert>{errorText(saving.error)}</ErrorAlert>}
        {way === 'draw' ? (
          <SignaturePad onChange={setImage} />
        ) : (
          <ImageField
            label="Image of the signature"
            description="PNG or JPEG, dark on white, up to 512 KB"
            maxBytes={512 * 1024}
            onChange={setImage}
          />
        )}
        <Group>
          <WorkingButton
            working={saving.isPending}
            disabled={image === null}
            onClick={() => image !== null && saving.mutate(image)}
          >
            Save signature
          </WorkingButton>
        </Group>
      </Stack>
      <SampleCheck />
    </Section>
  )
}

/** Shows a sample check. Without an account that can pay there is no sample. */
function SampleCheck() {
  const { data: image, isPending } = useQuery({
    queryKey: SAMPLE,
    queryFn: () =>
      api.previewCheck({ amount: 100, name: 'Sample payee', recipient: 'sample@example.com' }).then(
        (preview) => preview.image,
        () => null,
      ),
  })
  if (isPending) return <Skeleton height={220} radius="md" />
  if (image === null || image === undefined)
    return <Text c="dimmed">Verify a bank account to see your signature on a sample check.</Text>
  return (
    <img
      className={classes.sample}
      src={`data:image/png;base64,${image}`}
      alt="A sample check with your name, address and signature"
    />
  )
}
