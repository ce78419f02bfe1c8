import type { Answer, Api } from './api.ts'
import { sendPayment } from './payments.ts'
import { addBank, type TestService } from './service.ts'
import { newSender } from './webhooks.ts'

/** An endpoint as the API returns it. */
// biome-ignore lint/suspicious/noExplicitAny: tests look at answers field by field
export type EndpointAnswer = any

/** Creates an endpoint of an owner. @returns the answer's body */
export async function newEndpoint(owner: Api, url: string, fields: object = {}): Promise<EndpointAnswer> {
  const { body, status, text } = await owner.post('/v3/webhook/endpoint', { url, ...fields })
  if (status !== 201) throw new Error(`no endpoint was created: ${text}`)
  return body
}

/** A platform with a user that can send checks. */
export async function newPlatform(service: TestService) {
  const owner = await service.newOwner()
  return { ...owner, sender: await newSender(service, owner.api) }
}

/** Creates payments that become IN_PROCESS, with one event each. @returns their ids, in order */
export async function makeEvents(service: TestService, { api, sender }: { api: Api; sender: Api }, count: number) {
  const payee = await service.newUser(undefined, api)
  const account = await addBank(payee)
  const ids: string[] = []
  for (let index = 0; index < count; index++) {
    ids.push((await sendPayment(sender, { recipient: { id: payee.userId, account } })).id)
  }
  return ids
}

/** Follows the Link headers of a list to its end. @returns the values of `field` from all pages */
// biome-ignore lint/suspicious/noExplicitAny: tests look at answers field by field
export async function readAll(api: Api, baseUrl: string, path: string, field: string): Promise<any[]> {
  const met: unknown[] = []
  let next: string | null = path
  while (next) {
    const { body, headers, status, text }: Answer = await api.get(next)
    if (status !== 200) throw new Error(text)
    met.push(...body[field])
    const [, url] = /^<(.*)>; rel="next"$/.exec(headers.get('link') ?? '') ?? []
    next = url ? url.slice(baseUrl.length) : null
  }
  return met
}
