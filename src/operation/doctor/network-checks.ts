import { Resolver } from 'node:dns/promises'
import { isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import { connect, type PeerCertificate } from 'node:tls'
import type { EnvironmentSettings } from '../../foundation/core/environment.ts'
import { createMailer } from '../../foundation/mail/mail-worker.ts'
import type { Check } from './check.ts'
import { byLimits, failure, ok, type Verdict, warning } from './finding-rules.ts'

export type NetworkContext = { settings: EnvironmentSettings; now: () => Date }

/** The checks of servers that an environment reaches over the network. They send no money, mail or webhook. */
export const networkChecks: readonly Check<NetworkContext>[] = [
  { id: 'base-url.certificate', run: checkCertificate },
  { id: 'mail.server', run: checkMailServer },
  { id: 'webhooks.name-servers', run: checkNameServers },
  { id: 'webhooks.source-addresses', run: checkSourceAddresses },
]

const DAY_MS = 24 * 60 * 60 * 1_000
const CONNECT_MS = 5_000

async function checkCertificate({ settings: { baseUrl }, now }: NetworkContext): Promise<Verdict> {
  if (!baseUrl?.startsWith('https:')) return ok('The base URL has no TLS.')
  const host = new URL(baseUrl).host
  const seen = await readCertificate(new URL(baseUrl)).catch((error: Error) => error)
  if (seen instanceof Error) {
    return warning(
      `${host} cannot be reached from this machine: ${seen.message}`,
      'Check the base URL, its DNS name and the proxy.',
    )
  }
  const days = Math.floor((Date.parse(seen.certificate.valid_to) - now().getTime()) / DAY_MS)
  const remedy = 'Renew the certificate on the proxy in front of Remit.'
  if (days < 0) return failure(`The certificate of ${host} has expired.`, remedy)
  if (seen.problem) return failure(`The certificate of ${host} is not trusted: ${seen.problem}.`, remedy)
  return byLimits(-days, { warning: -21, failure: -2 })(`The certificate of ${host} ends in ${days} days.`, remedy)
}

type SeenCertificate = { certificate: PeerCertificate; problem: string | null }

/** Reads the certificate even if it is not trusted. Sends no request. */
function readCertificate({ hostname, port }: URL): Promise<SeenCertificate> {
  const host = hostname.replace(/^\[|\]$/g, '')
  return new Promise((resolve, reject) => {
    const socket = connect({
      host,
      port: Number(port || 443),
      servername: isIP(host) ? '' : host,
      rejectUnauthorized: false,
    })
    socket.setTimeout(CONNECT_MS, () => socket.destroy(new Error('no answer')))
    socket.once('error', reject)
    socket.once('secureConnect', () => {
      const problem = socket.authorized ? null : String(socket.authorizationError ?? 'unknown authority')
      resolve({ certificate: socket.getPeerCertificate(), problem })
      socket.destroy()
    })
  })
}

async function checkMailServer({ settings: { name, mailServer } }: NetworkContext): Promise<Verdict> {
  if (!mailServer && name !== 'production') return ok('SMTP_URL is not set, so mail stays in the database.')
  if (!mailServer) {
    return warning(
      'SMTP_URL is not set, so mail stays in the database: sign-up, forgotten passwords and invitations of payees do not work.',
      'Set SMTP_URL and REMIT_MAIL_FROM.',
    )
  }
  const mailer = createMailer(mailServer)
  const { host } = new URL(mailServer.url)
  try {
    await mailer.verify()
    return ok(`${host} takes mail.`)
  } catch (error) {
    return failure(
      `${host} refuses mail: ${(error as Error).message}`,
      'Correct SMTP_URL, or ask the operator of the mail server.',
    )
  } finally {
    mailer.close()
  }
}

async function checkNameServers({ settings: { webhookNameServers } }: NetworkContext): Promise<Verdict[]> {
  if (webhookNameServers.length === 0) return [ok('Webhooks use the name servers of the machine.')]
  return Promise.all(webhookNameServers.map(checkNameServer))
}

/** Checks a name server. Any answer is good, even that a name does not exist. */
async function checkNameServer(address: string): Promise<Verdict> {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 })
  resolver.setServers([address])
  const code = await resolver.resolve4('example.com').then(
    () => null,
    (error: NodeJS.ErrnoException) => error.code ?? 'unknown',
  )
  if (code === null || ['ENODATA', 'ENOTFOUND', 'ESERVFAIL', 'EREFUSED'].includes(code))
    return ok(`${address} answers.`)
  return failure(`The name server ${address} does not answer (${code}).`, 'Correct REMIT_WEBHOOK_NAME_SERVERS.')
}

function checkSourceAddresses({ settings: { webhookSourceAddresses } }: NetworkContext): Verdict[] {
  if (webhookSourceAddresses.length === 0) return [ok('The operating system chooses the source address of webhooks.')]
  const own = Object.values(networkInterfaces()).flatMap((addresses) => addresses?.map(({ address }) => address) ?? [])
  return webhookSourceAddresses.map((address) =>
    own.includes(address)
      ? ok(`${address} belongs to this machine.`)
      : failure(
          `${address} is no address of this machine.`,
          'Correct REMIT_WEBHOOK_SOURCE_ADDRESSES, or add the address.',
        ),
  )
}
