import type { PolicyRule } from '../../answers.ts'

export const railNames: Record<NonNullable<PolicyRule['rail']>, string> = {
  ACH: 'ACH',
  MAIL: 'mailed check',
  PRINT: 'printed check',
  INSTANT: 'card',
  RTP: 'real-time payment',
  WALLET: 'wallet',
  PAYPAL: 'PayPal',
  VENMO: 'Venmo',
  INTERAC: 'Interac',
  WIRE: 'wire',
  SWIFT: 'SWIFT',
}

export const sourceNames: Record<NonNullable<PolicyRule['source']>, string> = {
  WEB: 'in the dashboard',
  API: 'with an API key',
  APPLICATION: 'by an application',
  RECURRING: 'as recurring payments',
  BATCH: 'in a batch',
}
