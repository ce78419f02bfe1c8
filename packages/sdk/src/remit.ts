import type { ApiPromise } from './core/api-promise.ts'
import { Client } from './core/client.ts'
import { type CredentialOptions, readCredentials } from './core/credentials.ts'
import type { CallOptions, Input, Operation } from './core/operation.ts'
import { type ConnectionOptions, readSettings, type Settings } from './core/settings.ts'
import { Resources } from './generated/resources.ts'
import { webhooks } from './webhooks.ts'

export type RemitOptions = ConnectionOptions & CredentialOptions

/**
 * The client of one credential.
 *
 *     const remit = new Remit({ key, secret })
 *     const payment = await remit.payments.sendDigital({ amount: 125.5, name: 'Bob', recipient: 'bob@example.com' })
 */
export class Remit extends Resources {
  readonly webhooks = webhooks
  readonly #settings: Settings

  /** @throws ConfigurationError */
  constructor(options: RemitOptions = {}) {
    const settings = readSettings(options)
    super(new Client(settings, readCredentials(options)))
    this.#settings = settings
  }

  /** Returns a client with the same settings for another credential, for example for a user that was just created. */
  as(credential: CredentialOptions): Remit {
    return new Remit({ ...this.#settings, ...credential })
  }

  /**
   * Sends a request that has no method here. A POST is sent again only with its Idempotency-Key, a PUT or a DELETE never. With
   * `answersFile` the answer is a `Blob`.
   */
  request<Data = unknown>(
    method: Operation['method'],
    path: string,
    { answersFile, ...input }: Input & { answersFile?: true } = {},
    options?: CallOptions,
  ): ApiPromise<Data> {
    const idempotency = method === 'GET' ? 'read' : method === 'POST' ? 'key' : 'none'
    const operation = { id: 'request', method, path, idempotency, ...(answersFile && { answersFile }) } as const
    return this.client.call<Data>(operation, input, options)
  }
}
