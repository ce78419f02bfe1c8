import type { WebhookTest } from '../../answers.ts'

const outcomes: Record<WebhookTest['outcome'], (test: WebhookTest) => string> = {
  acknowledged: ({ http_status, duration_ms }) =>
    `Your server acknowledged the event with status ${http_status}, after ${duration_ms} ms.`,
  rejected: ({ http_status, duration_ms }) =>
    `Your server answered with status ${http_status} after ${duration_ms} ms. Only a status from 200 to 299 acknowledges an event.`,
  timed_out: () => 'Your server did not answer within 10 seconds.',
  unreachable: () => 'Your server could not be reached.',
}

/** The result of a test event as a sentence, with the technical reason where there is one. */
export function webhookTestWords(test: WebhookTest): string {
  const words = outcomes[test.outcome](test)
  return test.error === null ? words : `${words} (${test.error})`
}
