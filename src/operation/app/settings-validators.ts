import { isIP } from 'node:net'
import { EnvError, makeExactValidator } from 'envalid'
import ipaddr from 'ipaddr.js'
import { ENVIRONMENT_NAMES, type EnvironmentName } from '../../foundation/core/environment.ts'
import { parseMasterKeys } from '../../foundation/core/seal.ts'
import { normalDatabaseUrl } from '../../foundation/db/driver/server-address.ts'
import { isTimeZone } from '../../foundation/lib/clock.ts'
import { isEmail } from '../../foundation/lib/text/email.ts'
import { parsePostalAddress } from '../../payments/mailbox/mailbox-rules.ts'

export const MAX_PORT = 65_535

/**
 * Creates an envalid validator for one kind of setting. `allowed` completes the sentence "REMIT_PORT must be …". An error never repeats the
 * value, because it may be a secret.
 *
 * @param parse returns undefined for a value that is not allowed
 */
const validator = <Value>(allowed: string, parse: (text: string) => Value | undefined) =>
  makeExactValidator<Value>((text) => {
    const value = parse(text)
    if (value === undefined) throw new EnvError(`must be ${allowed}`)
    return value
  })

const textThat = (allowed: string, isValid: (text: string) => boolean) =>
  validator(allowed, (text) => (isValid(text) ? text : undefined))

/** Creates a validator for a list that is separated by commas. */
const listOf = (allowed: string, isValid: (item: string) => boolean) =>
  validator(allowed, (text) => {
    const items = text.split(',').map((item) => item.trim())
    return items.every(isValid) ? items : undefined
  })

export const anyText = textThat('a text', () => true)

export const integer = (min: number, max: number) =>
  validator(`a whole number from ${min} to ${max}`, (text) =>
    /^\d{1,9}$/.test(text) && Number(text) >= min && Number(text) <= max ? Number(text) : undefined,
  )

export const share = validator('a number from 0 to 1', (text) =>
  /^(0(\.\d{1,6})?|1(\.0)?)$/.test(text) ? Number(text) : undefined,
)

export const choice = <const Values extends readonly string[]>(values: Values, separator = ', ') =>
  validator<Values[number]>(values.join(separator), (text) => values.find((value) => value === text))

export const yesOrNo = validator('true, false', (text) =>
  text === 'true' || text === 'false' ? text === 'true' : undefined,
)

export const environmentList = validator<EnvironmentName[]>(
  `a list of ${ENVIRONMENT_NAMES.join(', ')} without duplicates`,
  (text) => {
    const names = text.split(',').map((name) => name.trim()) as EnvironmentName[]
    const isValid = names.every((name) => ENVIRONMENT_NAMES.includes(name)) && new Set(names).size === names.length
    return isValid ? names : undefined
  },
)

export const databaseUrl = validator('postgres://USER:PASSWORD@HOST:PORT/DATABASE', (text) => {
  const normal = normalDatabaseUrl(text)
  const url = URL.parse(normal)
  const isValid = url && ['postgres:', 'postgresql:'].includes(url.protocol) && url.pathname.length > 1
  return isValid ? normal : undefined
})

export const httpUrl = validator('http://HOST or https://HOST, without a path', (text) => {
  const url = URL.parse(text)
  const isValid = url && ['http:', 'https:'].includes(url.protocol) && url.pathname === '/' && !url.search && !url.hash
  return isValid ? url.origin : undefined
})

export const smtpUrl = textThat('smtp://USER:PASSWORD@HOST:PORT or smtps://USER:PASSWORD@HOST:PORT', (text) => {
  const url = URL.parse(text)
  return url !== null && ['smtp:', 'smtps:'].includes(url.protocol) && url.hostname !== '' && isOnlyHost(url)
})

const isOnlyHost = ({ pathname, search, hash }: URL) => ['', '/'].includes(pathname) && !search && !hash

export const mailbox = textThat('ADDRESS or NAME <ADDRESS>', (text) => {
  const [, , named, plain] = /^([^<>"\r\n,;:]* )?(?:<([^<>]+)>|([^<>\s]+))$/.exec(text) ?? []
  return isEmail(named ?? plain ?? '')
})

export const masterKeys = textThat(
  'ID:KEY[,ID:KEY…], where each KEY is 32 bytes in base64 (openssl rand -base64 32)',
  (text) => {
    try {
      parseMasterKeys(text)
      return true
    } catch {
      return false
    }
  },
)

export const ipAddresses = listOf('ADDRESS[,ADDRESS…]', (address) => isIP(address) !== 0)

export const networks = listOf('ADDRESS/PREFIX[,ADDRESS/PREFIX…]', (network) => ipaddr.isValidCIDR(network))

export const nameServers = listOf(
  'ADDRESS[:PORT][,ADDRESS[:PORT]…], an IPv6 address with a port in brackets',
  (text) => {
    if (isIP(text) !== 0) return true
    const [, bracketed, plain, port] = /^(?:\[([^\]]+)\]|([^:]+)):(\d{1,5})$/.exec(text) ?? []
    const isAddress = isIP(bracketed ?? '') === 6 || isIP(plain ?? '') === 4
    return isAddress && Number(port) >= 1 && Number(port) <= MAX_PORT
  },
)

export const usAddress = textThat(
  'an address such as 1 Main St, Springfield, IL 62701',
  (text) => parsePostalAddress(text) !== null,
)

export const timeZone = textThat('a time zone of the IANA database such as America/New_York', isTimeZone)

export const apiKey = textThat('an API key of 32 hex digits', (text) => /^[0-9a-f]{32}$/.test(text))

export const apiSecret = textThat('the secret of an API key, 40 letters and digits', (text) =>
  /^[A-Za-z0-9]{40}$/.test(text),
)
