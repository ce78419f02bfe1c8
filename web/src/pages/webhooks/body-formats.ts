import type { Endpoint } from '../../answers.ts'

/** The formats of webhook bodies, in the order of the form. */
export const bodyFormats: readonly { format: Endpoint['body_format']; name: string; about: string }[] = [
  { format: 'THIN', name: 'Thin', about: 'The id, type and status. Your server reads the rest from the API' },
  { format: 'FULL', name: 'Full', about: 'The whole object as well, such as the payment with its amount and payee' },
]

export const nameOfBodyFormat = (format: Endpoint['body_format']): string =>
  bodyFormats.find((one) => one.format === format)?.name ?? format
