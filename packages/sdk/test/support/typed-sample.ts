import {
  ApiError,
  type Bank,
  type ListedPayment,
  OAuth,
  type Page,
  type Payment,
  Remit,
  type ResponseInfo,
  webhooks,
} from 'remit-payments-sdk'

// Compiled against the package by package.test.ts, never run. Each line marked with @ts-expect-error must be an error.

const remit = new Remit({
  key: 'k',
  secret: 's',
  environment: 'sandbox',
  hooks: { onRequest: ({ path }) => console.log(path) },
})

export async function correct(signal: AbortSignal): Promise<void> {
  const payment: Payment = await remit.payments.sendDigital(
    { amount: 1, name: 'Bob', recipient: 'bob@example.com' },
    { signal, retries: 0 },
  )
  const status: 'UNPAID' | 'PAID' | string = payment.status
  const description: string | null = payment.description
  const toAccount = await remit.payments.sendDigital({
    amount: 1,
    name: 'Bob',
    recipient: { id: 'bob', account: 'a' },
    attachment: new Blob(['x']),
  })
  const { data, response }: { data: Bank; response: ResponseInfo } = await remit.banks.get(toAccount.id).withResponse()
  for await (const listed of remit.payments.list({ status: 'PAID' })) noteListed(listed)
  const page: Page<ListedPayment, { checks: ListedPayment[]; total?: number }> = await remit.payments.list()
  const receipt: Blob = await remit.payments.downloadReceipt(payment.id)
  await remit.banks.release(data.id)
  await remit.approvals.release({ id: payment.id })
  const all = await Promise.all([remit.profile.get(), remit.payments.list()])
  console.log(
    status,
    description,
    response.requestId,
    page.items.length,
    receipt.size,
    all[0].user.status,
    all[1].hasNext,
  )
  const { event } = await webhooks.verify('{}', { 'webhook-id': 'a', cookie: undefined, via: ['a'] }, ['k'])
  if (event.type === 'BANK') console.log(event.status satisfies 'DEPOSIT_ONLY' | 'PENDING' | 'VERIFIED')
  const oauth = new OAuth({
    clientId: 'c',
    clientSecret: 's',
    redirectUri: 'https://a.example',
    baseUrl: 'https://b.example',
  })
  const { url, ...pending } = await oauth.authorizeUrl({ scope: 'check' })
  new Remit({ tokens: await oauth.exchange(url, pending), oauth })
}

function noteListed({ direction }: ListedPayment): void {
  const known: 'INCOMING' | 'OUTGOING' = direction
  console.log(known)
}

export async function wrong(): Promise<void> {
  // @ts-expect-error: the recipient is missing
  await remit.payments.sendDigital({ amount: 1, name: 'Bob' })
  // @ts-expect-error: amounts are numbers
  await remit.payments.sendDigital({ amount: '1', name: 'Bob', recipient: 'bob@example.com' })
  // @ts-expect-error: unknown fields are refused
  await remit.payments.sendDigital({ amount: 1, name: 'Bob', recipient: 'bob@example.com', memo: 'x' })
  // @ts-expect-error: there is no such status
  await remit.payments.list({ status: 'SENT' })
  // @ts-expect-error: the id is missing
  await remit.payments.get()
  const payment = await remit.payments.get('a')
  // @ts-expect-error: a description can be null
  payment.description.length
  // @ts-expect-error: there is no such option
  await remit.payments.get('a', { retry: 1 })
  await remit.payments.get('a').catch((error: unknown) => {
    if (error instanceof ApiError) console.log(error.code === 'payment_not_found', error.fields.amount)
    // @ts-expect-error: an error has no such member
    if (error instanceof ApiError) console.log(error.statusCode)
  })
}
