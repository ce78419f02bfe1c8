import { Text } from '@mantine/core'
import { useState } from 'react'
import type { PaymentDetails } from '../../../answers.ts'
import { api } from '../../../api.ts'
import { Section } from '../../../layout/section.tsx'
import { dollars } from '../../../shown/dollars.ts'
import { FileButton } from '../../../shown/file-button.tsx'
import classes from '../../send/send.module.css'

/** The picture of the payment's check. Downloading it does not change the payment. */
export function CheckSection({ payment: { id, amount, number, name } }: { payment: PaymentDetails }) {
  const [isMissing, setMissing] = useState(false)
  if (isMissing) return null
  return (
    <Section
      title="Check"
      about="A copy that cannot be cashed."
      action={<FileButton label="Download copy" name={`check-${number}-copy.pdf`} load={() => api.checkCopy(id)} />}
    >
      <img
        className={classes.check}
        src={`/v3/payment/${id}/image`}
        width={1275}
        height={525}
        alt={`The check for ${dollars(amount)} to ${name}`}
        onError={() => setMissing(true)}
      />
      <Text c="dimmed" size="xs">
        The account number shows only its last four digits.
      </Text>
    </Section>
  )
}
