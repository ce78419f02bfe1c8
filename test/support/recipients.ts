import assert from 'node:assert/strict'
import { inviteRecipients } from '../../src/payments/recipient/recipient-worker.ts'
import type { Api } from './api.ts'
import { openBrowser, openBrowserAt, type Page } from './browser.ts'
import { newEmail } from './login.ts'
import { sendPayment } from './payments.ts'
import { newAccountNumber, type TestService } from './service.ts'

/** The page of a payment link, through its requests. */
export type RecipientPage = {
  token: string
  read(): Promise<Page>
  tryPin(pin: string): Promise<Page>
  deposit(option: string, fields?: object, pin?: string): Promise<Page>
  print(pin?: string): Promise<Page>
  attachment(pin?: string): Promise<Page>
  endorse(body: object): Promise<Page>
}

/** Opens the page of a token with a browser at its own IP address. */
export function openLink(service: TestService, token: string, address?: string): RecipientPage {
  const browser = openBrowserAt(service, address)
  const call = (path: string, body: object = {}) => browser.post(`/web/v1/pay/${path}`, { token, ...body })
  const withPin = (pin: string | undefined) => (pin === undefined ? {} : { pin })
  return {
    token,
    read: () => call('read'),
    tryPin: (pin) => call('pin', { pin }),
    deposit: (option, fields = {}, pin) => call(`deposit/${option}`, { ...fields, ...withPin(pin) }),
    attachment: (pin) => call('attachment', withPin(pin)),
    print: async (pin) => call('print', { ...withPin(pin), amount: (await call('read')).body.amount }),
    endorse: (body) => call('endorse', body),
  }
}

/** The mails to an address, newest first, in environments that show mail. */
export async function mailsTo(service: TestService, to: string): Promise<{ subject: string; text: string }[]> {
  const { body } = await openBrowser(service).get('/web/v1/mail')
  return body.mails.filter((mail: { to: string }) => mail.to === to)
}

/** The token in the newest mail to an address. */
export async function mailedToken(service: TestService, to: string): Promise<string> {
  const [mail] = await mailsTo(service, to)
  const [, token] = /\/pay\/([A-Za-z0-9]{40})$/m.exec(mail?.text ?? '') ?? []
  assert.ok(token, `there is a link in the mail to ${to}`)
  service.secrets.add(token)
  return token
}

/** Sends a payment to a payee without an account and opens the link. */
export async function payNewRecipient(service: TestService, sender: Api, order: object = {}) {
  const email = newEmail()
  const { id } = await sendPayment(sender, { recipient: email, ...order })
  // A concurrent pass may have claimed the mail without committing yet.
  while ((await mailsTo(service, email)).length === 0) await inviteRecipients(service.deps, service.baseUrl)
  return { id: id as string, email, page: openLink(service, await mailedToken(service, email)) }
}

export const newBank = (account = newAccountNumber()) => ({ routing: '021000021', account, type: 'CHECKING' })
