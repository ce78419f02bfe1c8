import { readFile } from 'node:fs/promises'
import { openAdapter } from '../../connections/adapter/adapter-client-actions.ts'
import { type EventProblem, readAdapterEvent } from '../../connections/adapter/adapter-event-rules.ts'
import { openPaypal, type PaypalAddress } from '../../connections/paypal/paypal-client-actions.ts'
import { readPaypalEvent } from '../../connections/paypal/paypal-event-actions.ts'
import type { CallDeps } from '../../connections/processor/https-call-actions.ts'
import type { EventSubject, PostedEvent, Processor } from '../../connections/processor/processor-types.ts'
import type { Connection, PaypalContract, ProcessorContract } from '../../foundation/core/connections.ts'
import type { OpenProcessor } from './payout-actions.ts'

/** Thrown if a file with a secret of a connection cannot be read. */
export class SecretUnreadable extends Error {}

/** Opens the processor of a connection. Secrets are read each time, so that a new secret needs no restart. @throws SecretUnreadable */
export async function openProcessor(deps: CallDeps, connection: Connection): Promise<OpenProcessor> {
  const address = addressOf(connection)
  const contract = contractOf(connection)
  return { connection, contract, answerMs: address.answerMs, processor: await clientOf(deps, contract, address) }
}

function addressOf({ id, transport }: Connection): { url: string; answerMs: number } {
  if (transport.type !== 'https') throw new Error(`connection ${id} has no processor`)
  return { url: transport.url, answerMs: transport.answerMs }
}

function contractOf({ id, processor }: Connection): ProcessorContract {
  if (processor === null) throw new Error(`connection ${id} has no processor`)
  return processor
}

async function clientOf(
  deps: CallDeps,
  contract: ProcessorContract,
  address: { url: string; answerMs: number },
): Promise<Processor> {
  if (contract.type === 'paypal') return openPaypal(deps, await paypalOf(contract, address))
  return openAdapter(deps, { ...address, key: await readSecret(contract.keyFile) })
}

/** Checks an event that was posted for a connection. @returns the order that it concerns, or the reason why it is refused */
export async function readEvent(
  deps: CallDeps,
  connection: Connection,
  event: PostedEvent,
): Promise<EventSubject | EventProblem> {
  const contract = contractOf(connection)
  if (contract.type === 'adapter')
    return readAdapterEvent(event, { key: await readSecret(contract.eventKeyFile), now: deps.realClock.now() })
  const { webhookId } = contract
  if (webhookId === null) return 'unsigned'
  return readPaypalEvent(deps, await paypalOf(contract, addressOf(connection)), { event, webhookId })
}

const paypalOf = async (
  { clientIdFile, clientSecretFile }: PaypalContract,
  address: { url: string; answerMs: number },
): Promise<PaypalAddress> => ({
  ...address,
  clientId: await readSecret(clientIdFile),
  clientSecret: await readSecret(clientSecretFile),
})

/** Reads a secret. @throws SecretUnreadable */
export async function readSecret(path: string): Promise<string> {
  try {
    return (await readFile(path, 'utf8')).trim()
  } catch (error) {
    throw new SecretUnreadable(`${path} cannot be read: ${(error as NodeJS.ErrnoException).code}.`)
  }
}
