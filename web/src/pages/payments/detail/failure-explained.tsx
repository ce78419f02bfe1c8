import { Alert, Text } from '@mantine/core'
import { IconAlertCircle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { PaymentDetails } from '../../../answers.ts'
import { returnCodeQuery } from '../payment-queries.ts'

/** Explains why the money came back, and what to do. */
export function FailureExplained({ payment, code }: { payment: PaymentDetails; code: string }) {
  const { data } = useQuery(returnCodeQuery(code))
  const title =
    payment.status === 'FAILED' ? `This payment failed with code ${code}` : `It was returned with code ${code}`
  return (
    <Alert
      color={payment.status === 'FAILED' ? 'red' : 'gray'}
      title={title}
      icon={<IconAlertCircle aria-hidden />}
      role="note"
    >
      {data && (
        <>
          <Text>{data.reason}</Text>
          <Text mt={6}>
            <b>What to do:</b> {data.action}
          </Text>
        </>
      )}
    </Alert>
  )
}
