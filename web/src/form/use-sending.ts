import { type UseMutationOptions, useMutation } from '@tanstack/react-query'
import { useRef } from 'react'

type Options<Answer, Values> = Omit<UseMutationOptions<Answer, Error, Values>, 'mutationFn'> & {
  mutationFn: (values: Values) => Promise<Answer>
}

/**
 * Returns a mutation that does not start again while it runs. `isPending` alone is not enough, because the second press of a
 * double click comes before the next render.
 */
export function useSending<Answer, Values = void>({ mutationFn, ...options }: Options<Answer, Values>) {
  const isUnderWay = useRef(false)
  const sending = useMutation<Answer, Error, Values>({
    ...options,
    mutationFn: async (values) => {
      try {
        return await mutationFn(values)
      } finally {
        isUnderWay.current = false
      }
    },
  })
  const send = (values: Values) => {
    if (isUnderWay.current) return
    isUnderWay.current = true
    sending.mutate(values)
  }
  return { ...sending, mutate: send }
}
