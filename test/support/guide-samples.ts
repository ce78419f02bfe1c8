import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Api } from './api.ts'
import { pathWithCurl } from './curl.ts'
import { authorize, codeForm, newAccountHolder, postForm, registerApplication, TOKEN_PATH } from './oauth.ts'
import { sendPayment } from './payments.ts'
import { type Received, startReceiver } from './receiver.ts'
import { addBank, addVerifiedBank, type TestService } from './service.ts'

/** The caller of a sample, the variables that its text names, and its output in every language. */
export type SampleRun = { as: Api; env?: Record<string, string>; shows: RegExp }

/** Creates the objects that a sample needs. Called once for each language. */
type Prepare = (service: TestService) => Promise<SampleRun>

/** Every sample of the guides that is a program, by its path without the extension. */
export const sampleRuns: Record<string, Prepare> = {
  quickstart: async ({ owner }) => ({ as: owner, shows: /125\.5/ }),
  'guides/sending/digital': sender(/UNPAID/),
  'guides/sending/mailed-check': sender(/IN_PROCESS/),
  'guides/sending/known-account': sender(/IN_PROCESS/),
  'guides/sending/follow': ofPayment(/create.*UNPAID/),
  'guides/sending/list': ofPayment(/Recipient/),
  'guides/sending/void': ofPayment(/^(\{\})?\s*$/),
  'guides/receiving/incoming': received(/UNPAID/),
  'guides/receiving/deposit': received(/IN_PROCESS/),
  'guides/receiving/wallet': async (service) => ({ as: await service.newUser(), shows: /Payouts/ }),
  'guides/invoices/send': sender(/UNPAID/),
  'guides/invoices/pay': async (service) => {
    const [creditor, payer] = [await newSender(service), await newSender(service)]
    const order = { amount: 250, name: 'Payer', recipient: payer.userId, description: 'Painting' }
    const { body } = await creditor.post('/v3/invoice', order)
    return { as: payer, env: { INVOICE: body.id }, shows: /IN_PROCESS/ }
  },
  'guides/invoices/recurring': sender(/MONTHLY/),
  'guides/approvals/prepare': sender(/UNPAID/),
  'guides/approvals/release': async (service) => {
    const user = await newSender(service)
    const order = { amount: 10, name: 'Bob', recipient: 'bob@example.com' }
    const { body } = await user.post('/v3/approval/digital', order)
    return { as: user, env: { APPROVAL: body.id }, shows: /UNPAID/ }
  },
  'guides/oauth/exchange': async (service) => {
    const { as, env, authorizeOnce } = await newApplication(service)
    return { as, env: { ...env, CODE: await authorizeOnce() }, shows: /access_token/ }
  },
  'guides/oauth/send': async (service) => {
    const { as, application, authorizeOnce } = await newApplication(service)
    const { body } = await postForm(service, TOKEN_PATH, codeForm(application, await authorizeOnce()))
    return { as, env: { ACCESS_TOKEN: body.access_token }, shows: /UNPAID/ }
  },
  'guides/webhooks/endpoint': async (service) => ({ as: (await service.newOwner()).api, shows: /ENABLED/ }),
  'guides/webhooks/full': async (service) => ({ as: (await service.newOwner()).api, shows: /FULL/ }),
  'guides/webhooks/replay': async (service) => ({ as: (await service.newOwner()).api, shows: /replayed\D+0/ }),
  'guides/errors/handle': sender(/invalid_request/),
  'guides/idempotency/repeat': sender(/([0-9a-f]{32})[\s\S]*\1/),
  'guides/testing/clock': async (service) => ({ as: (await service.newOwner()).api, shows: /advancing/ }),
  'guides/testing/outcome': ofPayment(/R01/),
}

async function newSender(service: TestService) {
  const user = await service.newUser()
  await addVerifiedBank(user)
  return user
}

function sender(shows: RegExp): Prepare {
  return async (service) => ({ as: await newSender(service), shows })
}

function ofPayment(shows: RegExp): Prepare {
  return async (service) => {
    const user = await newSender(service)
    return { as: user, env: { PAYMENT: (await sendPayment(user)).id }, shows }
  }
}

function received(shows: RegExp): Prepare {
  return async (service) => {
    const user = await service.newUser()
    const { id } = await sendPayment(await newSender(service), { recipient: user.userId })
    return { as: user, env: { PAYMENT: id, BANK: await addBank(user) }, shows }
  }
}

/** An application, the variables of the OAuth samples, and its owner. */
export async function newApplication(service: TestService) {
  const { api, browser } = await newAccountHolder(service)
  const application = await registerApplication(browser)
  const { id, secret, redirectUri } = application
  return {
    as: api,
    browser,
    application,
    env: { CLIENT_ID: id, CLIENT_SECRET: secret, REDIRECT_URI: redirectUri },
    authorizeOnce: () => authorize(service, browser, application),
  }
}

/** The variables of a sample. */
export function environmentOf({ baseUrl }: TestService, { as, env }: SampleRun): Record<string, string> {
  const [REMIT_KEY = '', REMIT_SECRET = ''] = as.credential.split(':')
  return { ...env, REMIT_BASE_URL: baseUrl, REMIT_KEY, REMIT_SECRET }
}

const execute = promisify(execFile)

/** Runs a curl sample in bash. @returns its output */
export async function runShellSample(path: string, env: Record<string, string>): Promise<string> {
  const { PATH, HOME = '/' } = process.env
  const { stdout } = await execute('bash', ['-eu', path], { env: { ...env, PATH: pathWithCurl(PATH), HOME } })
  return stdout
}

/** A webhook as a receiver gets it, and the key that signs it. */
export async function newWebhook(service: TestService, t: { after(end: () => void): void }) {
  const receiver = await startReceiver(t)
  const owner = await service.newOwner()
  await owner.api.post('/v3/webhook/endpoint', { url: receiver.url, event_types: ['BANK'] })
  const id = await addBank(owner.api)
  await owner.api.post('/v3/bank/release', { account: id })
  await receiver.waitFor(1)
  const [{ body, headers }] = receiver.received as [Received]
  return { body, headers, key: owner.webhookKey, id }
}
