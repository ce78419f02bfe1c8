import { readFileSync } from 'node:fs'
import { SAMPLE_LANGUAGES } from './guide-samples.ts'

/** The samples of the guides that the API reference shows, by operation id. */
export const referenceSamples: Record<string, string> = {
  sendDigitalPayment: 'sending/digital',
  sendPhysicalCheck: 'sending/mailed-check',
  sendDirectPayment: 'sending/known-account',
  getPaymentTimeline: 'sending/follow',
  listPayments: 'sending/list',
  voidPayment: 'sending/void',
  depositPayment: 'receiving/deposit',
  createWallet: 'receiving/wallet',
  sendInvoice: 'invoices/send',
  payInvoice: 'invoices/pay',
  createPaymentSubscription: 'invoices/recurring',
  prepareDigitalPayment: 'approvals/prepare',
  releaseApproval: 'approvals/release',
  createWebhookEndpoint: 'webhooks/endpoint',
  replayFailedWebhooks: 'webhooks/replay',
  advanceClock: 'testing/clock',
  triggerPaymentStatus: 'testing/outcome',
}

/** A sample in OpenAPI documents (`x-codeSamples`). */
export type CodeSample = { lang: string; label: string; source: string }

/** Returns the samples of an operation in each language, or none. */
export function codeSamplesOf(operationId: string): CodeSample[] {
  const name = referenceSamples[operationId]
  if (name === undefined) return []
  return SAMPLE_LANGUAGES.map(({ extension, label, fence }) => ({
    lang: fence,
    label,
    source: readFileSync(
      new URL(`../../../../examples/guides/${name}.${extension}`, import.meta.url),
      'utf8',
    ).trimEnd(),
  }))
}
