import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import { isIP } from 'node:net'

/** A certificate and its key, as PEM. */
export type Certificate = { cert: string; key: string }

export type Authority = Certificate & {
  /** Creates a certificate for host names and IPv4 addresses. */
  issue(hosts: string[], validity?: Validity): Certificate
  /** Creates an authority whose certificate is signed by this one. */
  issueIntermediate(): Authority
}

type Validity = { from?: Date; to?: Date }
type Party = { name: string; key: KeyObject }

/**
 * A private certificate authority. Test files share processes, so each authority has its own name: TLS checks a
 * certificate with the key of the first trusted authority of that name.
 */
export const createAuthority = (name = `Authority ${randomBytes(8).toString('hex')}`): Authority =>
  authorityOf(name, null)

function authorityOf(name: string, parent: Party | null): Authority {
  const { privateKey, publicKey } = newKeys()
  const authority = { name, key: privateKey }
  const isAuthority = extension('2.5.29.19', sequence(der(0x01, Buffer.from([0xff]))))
  return {
    cert: certificate({ issuer: parent ?? authority, subject: { name, key: publicKey }, extensions: [isAuthority] }),
    key: pem(privateKey),
    issue(hosts, validity) {
      const keys = newKeys()
      const subject = { name: hosts[0] as string, key: keys.publicKey }
      const names = extension('2.5.29.17', sequence(...hosts.map(alternativeName)))
      return {
        cert: certificate({ issuer: authority, subject, extensions: [names], ...validity }),
        key: pem(keys.privateKey),
      }
    },
    issueIntermediate: () => authorityOf(`${name}, intermediate`, authority),
  }
}

/** A self-signed certificate. */
export function selfSigned(host: string): Certificate {
  const { privateKey, publicKey } = newKeys()
  const extensions = [extension('2.5.29.17', sequence(alternativeName(host)))]
  const issuer = { name: host, key: privateKey }
  return { cert: certificate({ issuer, subject: { name: host, key: publicKey }, extensions }), key: pem(privateKey) }
}

const newKeys = () => generateKeyPairSync('ec', { namedCurve: 'P-256' })

const pem = (key: KeyObject): string => key.export({ type: 'pkcs8', format: 'pem' }).toString()

const DAY_MS = 24 * 60 * 60 * 1_000

// X.509 version 3 (RFC 5280, 4.1), signed by ECDSA with SHA-256 (RFC 5758).
function certificate({
  issuer,
  subject,
  extensions,
  from = new Date(Date.now() - DAY_MS),
  to = new Date(Date.now() + DAY_MS),
}: { issuer: Party; subject: Party; extensions: Buffer[] } & Validity): string {
  const algorithm = sequence(oid('1.2.840.10045.4.3.2'))
  const toBeSigned = sequence(
    der(0xa0, integer(Buffer.from([2]))),
    integer(Buffer.concat([Buffer.from([1]), randomBytes(15)])),
    algorithm,
    commonName(issuer.name),
    sequence(time(from), time(to)),
    commonName(subject.name),
    subject.key.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(...extensions)),
  )
  const signature = der(0x03, Buffer.from([0]), sign('sha256', toBeSigned, issuer.key))
  const base64 = sequence(toBeSigned, algorithm, signature).toString('base64')
  return `-----BEGIN CERTIFICATE-----\n${base64.match(/.{1,64}/g)?.join('\n')}\n-----END CERTIFICATE-----\n`
}

function der(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts)
  const { length } = content
  const lengthBytes = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...lengthBytes]), content])
}

const sequence = (...parts: Buffer[]) => der(0x30, ...parts)
const integer = (bytes: Buffer) => der(0x02, bytes)
const commonName = (name: string) => sequence(der(0x31, sequence(oid('2.5.4.3'), der(0x0c, Buffer.from(name)))))
const extension = (id: string, value: Buffer) => sequence(oid(id), der(0x04, value))

const alternativeName = (host: string) =>
  isIP(host) === 4 ? der(0x87, Buffer.from(host.split('.').map(Number))) : der(0x82, Buffer.from(host))

/** GeneralizedTime, which OpenSSL accepts for any year. */
const time = (date: Date) => der(0x18, Buffer.from(date.toISOString().replace(/\.\d+|[-:T]/g, '')))

function oid(text: string): Buffer {
  const [first = 0, second = 0, ...others] = text.split('.').map(Number)
  return der(0x06, Buffer.from([first * 40 + second, ...others.flatMap(base128)]))
}

const base128 = (value: number): number[] =>
  value < 128 ? [value] : [...base128(Math.floor(value / 128)).map((byte) => byte | 0x80), value % 128]
