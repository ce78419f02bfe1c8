import type { Answer, Api } from './api.ts'

/** Sends a payment from the default bank of a user. @returns the answer's body */
// biome-ignore lint/suspicious/noExplicitAny: tests look at answers field by field
export async function sendPayment(user: Api, order: object = {}): Promise<any> {
  const body = { amount: 10, name: 'Recipient', recipient: 'recipient@example.com', ...order }
  return expectStatus(201, await user.post('/v3/check/digital', body)).body
}

/** Triggers a payment status in the sandbox. */
export async function triggerStatus(user: Api, paymentId: string, status: string, options?: object): Promise<void> {
  expectStatus(204, await user.put(`/v3/check/webhook/${paymentId}`, { status, ...(options && { options }) }))
}

function expectStatus(status: number, answer: Answer): Answer {
  if (answer.status !== status) throw new Error(`expected ${status}, got ${answer.status} ${answer.text}`)
  return answer
}
