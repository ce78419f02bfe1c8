import { isIP } from 'node:net'
import { homedir } from 'node:os'
import { resolve } from 'node:path'
import ipaddr from 'ipaddr.js'
import { isAbaRoutingNumber } from '../bank/bank-status.ts'
import { fractionalRouting, isFractionOf } from '../check/drawing/paper-check-rules.ts'
import { isPrintable } from '../check/drawing/paper-text-rules.ts'
import {
  ACKNOWLEDGEMENTS,
  type AchFiles,
  type Acknowledgements,
  ENVIRONMENT_NAMES,
  type EnvironmentName,
  type EnvironmentSettings,
  environmentDefaults,
  FIRST_CHECK_NUMBER,
  type MailServer,
  type NachaAccount,
  type OperatorBank,
} from '../core/environment.ts'
import { parseMasterKeys } from '../core/seal.ts'
import { addressProblem } from '../db/server-address.ts'
import { isTimeZone } from '../lib/clock.ts'
import { LOG_LEVELS, type LogLevel } from '../lib/log.ts'
import { StartProblem } from '../lib/start-problem.ts'
import { isEmail } from '../lib/text/email.ts'

export type EnvironmentConfig = {
  settings: EnvironmentSettings
  port: number
  /** The connection of the service. Null: the embedded PostgreSQL. */
  databaseUrl: string | null
  /** The connection of the schema's owner, for migrations. Null: the same as `databaseUrl`. */
  migrateUrl: string | null
}

export type Config = {
  dataDir: string
  host: string
  logLevel: LogLevel
  /** The address that serves metrics; null: not served. */
  metrics: { host: string; port: number; verifyLedgerEveryMinutes: number } | null
  environments: EnvironmentConfig[]
  /** The text of the key ring. Null: it is read from `masterKeysFile`, which the first start creates. */
  masterKeys: string | null
  masterKeysFile: string
}

type Variables = Record<string, string | undefined>

/** Parses one value. Returns the value, or a sentence that says which values are allowed. */
type Parse<Value> = (text: string) => { value: Value } | { allowed: string }

type Setting<Value> = { parse: Parse<Value>; fallback: Value; example: string; help: string }

const setting = <Value>(parse: Parse<Value>, fallback: Value, example: string, help: string): Setting<Value> => ({
  parse,
  fallback,
  example,
  help,
})

const anyText: Parse<string> = (text) => ({ value: text })

const integer =
  (min: number, max: number): Parse<number> =>
  (text) =>
    /^\d{1,9}$/.test(text) && Number(text) >= min && Number(text) <= max
      ? { value: Number(text) }
      : { allowed: `a whole number from ${min} to ${max}` }

const choice =
  <const Values extends readonly string[]>(values: Values): Parse<Values[number]> =>
  (text) =>
    values.includes(text) ? { value: text } : { allowed: values.join(', ') }

const environmentList: Parse<EnvironmentName[]> = (text) => {
  const names = text.split(',').map((name) => name.trim()) as EnvironmentName[]
  const isValid = names.every((name) => ENVIRONMENT_NAMES.includes(name)) && new Set(names).size === names.length
  return isValid ? { value: names } : { allowed: `a list of ${ENVIRONMENT_NAMES.join(', ')} without duplicates` }
}

const databaseUrl: Parse<string> = (text) => {
  const url = URL.parse(text)
  const isValid = url && ['postgres:', 'postgresql:'].includes(url.protocol) && url.pathname.length > 1
  return isValid ? { value: text } : { allowed: 'postgres://USER:PASSWORD@HOST:PORT/DATABASE' }
}

const httpUrl: Parse<string> = (text) => {
  const url = URL.parse(text)
  const isValid = url && ['http:', 'https:'].includes(url.protocol) && url.pathname === '/' && !url.search && !url.hash
  return isValid ? { value: url.origin } : { allowed: 'http://HOST or https://HOST, without a path' }
}

const smtpUrl: Parse<string> = (text) => {
  const url = URL.parse(text)
  const isValid = url && ['smtp:', 'smtps:'].includes(url.protocol) && url.hostname && isOnlyHost(url)
  return isValid ? { value: text } : { allowed: 'smtp://USER:PASSWORD@HOST:PORT or smtps://USER:PASSWORD@HOST:PORT' }
}

const isOnlyHost = ({ pathname, search, hash }: URL) => ['', '/'].includes(pathname) && !search && !hash

const mailbox: Parse<string> = (text) => {
  const [, , named, plain] = /^([^<>"\r\n,;:]* )?(?:<([^<>]+)>|([^<>\s]+))$/.exec(text) ?? []
  return isEmail(named ?? plain ?? '') ? { value: text } : { allowed: 'ADDRESS or NAME <ADDRESS>' }
}

const masterKeys: Parse<string> = (text) => {
  try {
    parseMasterKeys(text)
    return { value: text }
  } catch {
    return {
      allowed: 'ID:KEY[,ID:KEY…], where each KEY is 32 bytes in base64 (openssl rand -base64 32)',
    }
  }
}

const yesOrNo: Parse<boolean> = (text) =>
  text === 'true' || text === 'false' ? { value: text === 'true' } : { allowed: 'true, false' }

const ipAddresses: Parse<string[]> = (text) => {
  const addresses = text.split(',').map((address) => address.trim())
  return addresses.every((address) => isIP(address) !== 0) ? { value: addresses } : { allowed: 'ADDRESS[,ADDRESS…]' }
}

const networks: Parse<string[]> = (text) => {
  const list = text.split(',').map((network) => network.trim())
  return list.every((network) => ipaddr.isValidCIDR(network))
    ? { value: list }
    : { allowed: 'ADDRESS/PREFIX[,ADDRESS/PREFIX…]' }
}

const nameServers: Parse<string[]> = (text) => {
  const list = text.split(',').map((server) => server.trim())
  return list.every(isNameServer)
    ? { value: list }
    : { allowed: 'ADDRESS[:PORT][,ADDRESS[:PORT]…], an IPv6 address with a port in brackets' }
}

function isNameServer(text: string): boolean {
  if (isIP(text) !== 0) return true
  const [, bracketed, plain, port] = /^(?:\[([^\]]+)\]|([^:]+)):(\d{1,5})$/.exec(text) ?? []
  const isAddress = isIP(bracketed ?? '') === 6 || isIP(plain ?? '') === 4
  return isAddress && Number(port) >= 1 && Number(port) <= MAX_PORT
}

const shortName: Parse<string> = (text) =>
  text.length <= 60 && isPrintable(text) ? { value: text } : { allowed: 'a name of at most 60 Latin letters' }

const timeZone: Parse<string> = (text) =>
  isTimeZone(text) ? { value: text } : { allowed: 'a time zone of the IANA database such as America/New_York' }

const routingNumber: Parse<string> = (text) =>
  isAbaRoutingNumber(text) ? { value: text } : { allowed: 'a valid ABA routing number of nine digits' }

const fraction: Parse<string> = (text) =>
  /^(\d{1,2}-)?\d{1,4}\/\d{1,4}$/.test(text)
    ? { value: text }
    : { allowed: 'a fractional routing number such as 55-2/212' }

const accountNumber: Parse<string> = (text) =>
  /^\d{4,17}$/.test(text) ? { value: text } : { allowed: 'an account number of 4 to 17 digits' }

const nachaText =
  (maxLength: number): Parse<string> =>
  (text) =>
    text.length <= maxLength && /^[ -~]+$/.test(text)
      ? { value: text }
      : { allowed: `at most ${maxLength} ASCII characters` }

const companyNumber: Parse<string> = (text) =>
  /^[A-Z0-9]{9,10}$/.test(text) ? { value: text } : { allowed: '9 or 10 capital letters and digits' }

const acknowledgements: Parse<Acknowledgements> = (text) => {
  const value = ACKNOWLEDGEMENTS.find((one) => one === text)
  return value ? { value } : { allowed: ACKNOWLEDGEMENTS.join(' or ') }
}

const nachaAccount: Parse<NachaAccount> = (text) => {
  const [, routing = '', account, kind] = /^(\d{9}):(\d{4,17}):(checking|savings)$/.exec(text) ?? []
  return account && kind && isAbaRoutingNumber(routing)
    ? { value: { routingNumber: routing, accountNumber: account, kind: kind as NachaAccount['kind'] } }
    : { allowed: 'ROUTING:ACCOUNT:checking or ROUTING:ACCOUNT:savings' }
}

const MAX_PORT = 65_535

/** Every variable that the program reads, in the order of `.env.example`. */
const settings = {
  REMIT_DATA_DIR: setting(
    anyText,
    '.remit',
    '.remit',
    'Folder for the embedded PostgreSQL and the files that npm start writes for you. Also --data-dir.',
  ),
  REMIT_PORT: setting(
    integer(0, MAX_PORT),
    4000,
    '4000',
    'Port of the first environment. Each further environment uses the next port. 0: any free ports. Also --port.',
  ),
  REMIT_HOST: setting(anyText, 'localhost', 'localhost', 'Address to listen on. 0.0.0.0: all interfaces.'),
  REMIT_ENVIRONMENTS: setting<EnvironmentName[]>(
    environmentList,
    ['sandbox', 'demo'],
    'sandbox,demo',
    'Environments to run: sandbox, demo, production. Also --environments.',
  ),
  REMIT_LOG_LEVEL: setting<LogLevel>(
    choice(LOG_LEVELS),
    'info',
    'info',
    'debug, info, warn, error or silent. Logs are JSON lines on standard error.',
  ),
  DATABASE_URL: setting<string | null>(
    databaseUrl,
    null,
    'postgres://remit:secret@localhost:5432/remit',
    'PostgreSQL 15 or newer. The first environment uses this database. Each other environment uses NAME_ENVIRONMENT on the same server. A server on another machine needs ?sslmode=verify-full. Unset: an embedded PostgreSQL in the data directory.',
  ),
  MIGRATE_DATABASE_URL: setting<string | null>(
    databaseUrl,
    null,
    'postgres://remit_owner:secret@localhost:5432/remit',
    'The same database with the role that owns it, which migrates the tables and grants rights to the role of DATABASE_URL. Production reads it only in remit migrate. Unset: the role of DATABASE_URL.',
  ),
  DATABASE_ALLOW_PLAINTEXT: setting<boolean>(
    yesOrNo,
    false,
    'true',
    'Allow a PostgreSQL on another machine without TLS or without a checked certificate. Default: false.',
  ),
  REMIT_MASTER_KEYS: setting<string | null>(
    masterKeys,
    null,
    'k1:MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=',
    'Keys that encrypt secrets in the database, as ID:KEY[,ID:KEY…]. Each KEY is 32 bytes in base64 (openssl rand -base64 32). The first key encrypts, and all keys decrypt. Required in production.',
  ),
  REMIT_MASTER_KEYS_FILE: setting<string | null>(
    anyText,
    null,
    '.remit/master-keys',
    'File for the keys when REMIT_MASTER_KEYS is unset. The first start creates it. Default: master-keys in the data directory, or ~/.remit/master-keys with DATABASE_URL.',
  ),
  SMTP_URL: setting<string | null>(
    smtpUrl,
    null,
    'smtps://USER:PASSWORD@mail.example.com:465',
    'Mail server. smtps:// connects over TLS, and smtp:// upgrades to TLS (STARTTLS). Unset: mail stays in the database for 30 days, and sandbox and demo show it at /mail.',
  ),
  SMTP_ALLOW_PLAINTEXT: setting<boolean>(
    yesOrNo,
    false,
    'true',
    'Allow sending mail and the password of SMTP_URL unencrypted when the mail server offers no TLS. Also needed for local servers. Default: false.',
  ),
  REMIT_MAIL_FROM: setting<string | null>(
    mailbox,
    null,
    'Remit <remit@example.com>',
    'Sender of mail. Required with SMTP_URL.',
  ),
  REMIT_ALLOW_LOCAL_WEBHOOKS: setting<boolean | null>(
    yesOrNo,
    null,
    'true',
    'Allow webhooks to http://localhost in sandbox and demo. Default: true with the embedded PostgreSQL, otherwise false.',
  ),
  REMIT_WEBHOOK_SOURCE_ADDRESSES: setting<string[]>(
    ipAddresses,
    [],
    '192.0.2.10,192.0.2.11',
    'Source addresses for webhooks, used in turn and shown in the developer settings. Unset: the operating system chooses.',
  ),
  REMIT_WEBHOOK_NAME_SERVERS: setting<string[]>(
    nameServers,
    [],
    '192.0.2.53,[2001:db8::53]:5353',
    'DNS servers that resolve the hosts of webhooks. Unset: those of the machine.',
  ),
  REMIT_TRUST_PROXY: setting<boolean>(
    yesOrNo,
    false,
    'true',
    'Trust the last entry of X-Forwarded-For as the client address. Set this behind exactly one proxy. Default: false.',
  ),
  REMIT_METRICS_PORT: setting<number | null>(
    integer(0, MAX_PORT),
    null,
    '9464',
    'Port of /metrics for Prometheus. It needs no credentials, so keep it private. Unset: no metrics.',
  ),
  REMIT_METRICS_HOST: setting(anyText, 'localhost', 'localhost', 'Address that serves metrics.'),
  REMIT_LEDGER_CHECK_MINUTES: setting(
    integer(0, 10_080),
    60,
    '60',
    'Minutes between checks of the whole ledger for metrics, in the process that does background work. 0: never. Default: 60.',
  ),
} as const

const hexKey: Parse<string> = (text) =>
  /^[0-9a-f]{32}$/.test(text) ? { value: text } : { allowed: 'an API key of 32 hex digits' }

const keySecret: Parse<string> = (text) =>
  /^[A-Za-z0-9]{40}$/.test(text) ? { value: text } : { allowed: 'the secret of an API key, 40 letters and digits' }

/** Variables of the commands that call a running service as a platform's owner. */
const clientSettings = {
  REMIT_KEY: setting<string | null>(
    hexKey,
    null,
    '0123456789abcdef0123456789abcdef',
    'API key for remit listen and remit trigger. Unset: the key in sandbox.json in the data directory.',
  ),
  REMIT_SECRET: setting<string | null>(keySecret, null, 'SECRET', 'Secret of the API key.'),
} as const

/** Variables of one environment, such as `REMIT_SANDBOX_DATABASE_URL`. */
const environmentSettings = {
  DATABASE_URL: setting<string | null>(
    databaseUrl,
    null,
    'postgres://remit:secret@localhost:5432/remit_ENVIRONMENT',
    'Database of this environment, instead of DATABASE_URL.',
  ),
  MIGRATE_DATABASE_URL: setting<string | null>(
    databaseUrl,
    null,
    'postgres://remit_owner:secret@localhost:5432/remit_ENVIRONMENT',
    'The same database with the role that owns it, instead of MIGRATE_DATABASE_URL.',
  ),
  BASE_URL: setting<string | null>(
    httpUrl,
    null,
    'https://ENVIRONMENT.example.com',
    'Public URL of this environment. Production requires https and answers requests for this host only.',
  ),
  REQUESTS_PER_SECOND: setting<number | null>(
    integer(1, 1_000_000),
    null,
    '1000',
    'Average requests per second for one API key, session or application. A user gets 2 times, a platform 100 times as many. Default: 1000, in production 100.',
  ),
  REQUEST_BURST: setting<number | null>(
    integer(1, 1_000_000),
    null,
    '2000',
    'Burst of requests for one API key, session or application. A user gets 2 times, a platform 100 times as many. Default: 2000, in production 200.',
  ),
  ADDRESS_REQUESTS_PER_SECOND: setting<number | null>(
    integer(1, 1_000_000),
    null,
    '200',
    'Average requests per second from one network address, for requests without credentials or with wrong ones. Default: 200, in production 50.',
  ),
  ADDRESS_REQUEST_BURST: setting<number | null>(
    integer(1, 1_000_000),
    null,
    '400',
    'Burst of such requests from one network address. Default: 400, in production 200.',
  ),
  ACCESS_TOKEN_SECONDS: setting<number | null>(
    integer(60, 86_400),
    null,
    '3600',
    'Lifetime of an access token in seconds. Default: 3600.',
  ),
  WEBHOOK_ALLOWED_NETWORKS: setting<string[]>(
    networks,
    [],
    '10.20.0.0/16,fd12:3456::/32',
    'Private networks to which webhooks are allowed. All other rules still apply: https, a valid certificate, no redirects.',
  ),
  NEW_RECIPIENTS_A_DAY: setting<number | null>(
    integer(0, 1_000_000),
    null,
    '50',
    'New recipients without an account that a platform can mail per day (UTC). In production, the limit ends when the owner is VERIFIED. Default: 50.',
  ),
  TIME_ZONE: setting<string | null>(
    timeZone,
    null,
    'America/New_York',
    'Time zone for the dates on checks and in files about checks. Default: America/Los_Angeles.',
  ),
  PAPER_COMPANY_NAME: setting<string | null>(
    shortName,
    null,
    'Example Payments Inc.',
    'Company that holds the account for paper checks: all checks in production, elsewhere only those funded by a wallet. Requires the next three settings.',
  ),
  PAPER_BANK_NAME: setting<string | null>(shortName, null, 'First Example Bank', 'Bank name as printed on checks.'),
  PAPER_ROUTING_NUMBER: setting<string | null>(routingNumber, null, '021000021', 'Routing number of that bank.'),
  PAPER_ACCOUNT_NUMBER: setting<string | null>(
    accountNumber,
    null,
    '1234567890',
    'Account number. Without these four settings, production offers no paper checks, and checks of sandbox and demo show a specimen account.',
  ),
  PAPER_FRACTIONAL_ROUTING: setting<string | null>(
    fraction,
    null,
    '1-2/210',
    'Fractional routing number as printed on the bank’s checks. Unset: derived from the routing number, without the prefix.',
  ),
  PAPER_FIRST_CHECK_NUMBER: setting(
    integer(1, 999_999_999),
    FIRST_CHECK_NUMBER,
    '1001',
    'First check number that production uses for this account. A higher value later takes effect with the next check. Default: 1001.',
  ),
} as const

/** The company and its bank, for environments that move money with bank files. */
const fileNetworkSettings = {
  ACH_DESTINATION: setting<string | null>(
    routingNumber,
    null,
    '091000019',
    'Routing number of the bank or processor that receives the ACH files.',
  ),
  ACH_DESTINATION_NAME: setting<string | null>(
    nachaText(23),
    null,
    'FIRST EXAMPLE BANK',
    'Name of that bank or processor.',
  ),
  ACH_ORIGIN: setting<string | null>(
    companyNumber,
    null,
    '1123456789',
    'Immediate origin of the files, as assigned by the bank. Usually 1 followed by the tax number.',
  ),
  ACH_ORIGIN_NAME: setting<string | null>(nachaText(23), null, 'EXAMPLE PAYMENTS INC', 'Name of the origin.'),
  ACH_COMPANY_NAME: setting<string | null>(
    nachaText(16),
    null,
    'EXAMPLE PAYMENTS',
    'Company name on account holders’ statements.',
  ),
  ACH_COMPANY_ID: setting<string | null>(companyNumber, null, '1123456789', 'Company id assigned by the bank.'),
  ACH_ODFI: setting<string | null>(
    routingNumber,
    null,
    '091000019',
    'Routing number of the originating bank (ODFI). Trace numbers begin with it.',
  ),
  ACH_ACKNOWLEDGEMENTS: setting<Acknowledgements>(
    acknowledgements,
    'required',
    'required',
    'When an ACH file counts as accepted. required: when the bank acknowledges it. none: when it was transmitted and its settlement time has passed. Default: required.',
  ),
  PAPER_ACKNOWLEDGEMENTS: setting<Acknowledgements>(
    acknowledgements,
    'required',
    'required',
    'The same for lists of issued and stopped checks. With required, confirm each list with "remit files accept". Default: required.',
  ),
  ACH_SETTLEMENT_ACCOUNT: setting<NachaAccount | null>(
    nachaAccount,
    null,
    '091000019:1234567890:checking',
    'Account for the balancing entry of every batch, if the bank requires one. Unset: the bank books the other side.',
  ),
} as const

const fileEnvironments = ENVIRONMENT_NAMES.filter((name) => environmentDefaults[name].railNetwork === 'file')

type Values<Settings> = { [Name in keyof Settings]: Settings[Name] extends Setting<infer Value> ? Value : never }

const variableOf = (environment: EnvironmentName, name: string) => `REMIT_${environment.toUpperCase()}_${name}`

export const VARIABLE_NAMES: string[] = [
  ...Object.keys(settings),
  ...ENVIRONMENT_NAMES.flatMap((environment) =>
    Object.keys(environmentSettings).map((name) => variableOf(environment, name)),
  ),
  ...fileEnvironments.flatMap((environment) =>
    Object.keys(fileNetworkSettings).map((name) => variableOf(environment, name)),
  ),
  ...Object.keys(clientSettings),
]

/** Command-line flags that override a variable. */
export type Flags = { dataDir?: string | undefined; port?: string | undefined; environments?: string | undefined }

/**
 * Reads the whole configuration. Nothing else reads `process.env`.
 *
 * @throws StartProblem that lists every problem: the variable's name and its allowed values
 */
export function readConfig(flags: Flags, env: Variables = process.env): Config {
  const variables: Variables = {
    ...env,
    ...(flags.dataDir !== undefined && { REMIT_DATA_DIR: flags.dataDir }),
    ...(flags.port !== undefined && { REMIT_PORT: flags.port }),
    ...(flags.environments !== undefined && { REMIT_ENVIRONMENTS: flags.environments }),
  }
  const problems: string[] = []
  const values = readValues(settings, variables, (name) => name, problems)
  const { REMIT_PORT: port, DATABASE_URL: databaseUrl, MIGRATE_DATABASE_URL: migrateUrl } = values
  const dataDir = resolve(values.REMIT_DATA_DIR)
  if (port + values.REMIT_ENVIRONMENTS.length - 1 > MAX_PORT) {
    problems.push(`REMIT_PORT must be low enough for ${values.REMIT_ENVIRONMENTS.length} ports up to ${MAX_PORT}`)
  }
  const addressProblems = (name: string, url: string | null) =>
    problems.push(...databaseProblems(name, url, values.DATABASE_ALLOW_PLAINTEXT))
  addressProblems('DATABASE_URL', databaseUrl)
  addressProblems('MIGRATE_DATABASE_URL', migrateUrl)
  if (values.SMTP_URL !== null && values.REMIT_MAIL_FROM === null) problems.push('SMTP_URL needs REMIT_MAIL_FROM')
  const environments = values.REMIT_ENVIRONMENTS.map((name, index) => {
    const own = readValues(environmentSettings, variables, (part) => variableOf(name, part), problems)
    const defaults = environmentDefaults[name]
    for (const part of ['DATABASE_URL', 'MIGRATE_DATABASE_URL'] as const)
      addressProblems(variableOf(name, part), own[part])
    const isEmbedded = databaseUrl === null && own.DATABASE_URL === null
    if (isEmbedded && (migrateUrl ?? own.MIGRATE_DATABASE_URL) !== null)
      problems.push(`MIGRATE_DATABASE_URL of ${name} also needs the matching DATABASE_URL`)
    if (name === 'production') problems.push(...productionProblems(values, { isEmbedded, baseUrl: own.BASE_URL }))
    problems.push(...paperProblems(own, name))
    const achFiles = defaults.railNetwork === 'file' ? achFilesOf(name, { variables, dataDir, problems }) : null
    const isLocalAllowed = name !== 'production' && (values.REMIT_ALLOW_LOCAL_WEBHOOKS ?? isEmbedded)
    return {
      port: port === 0 ? 0 : port + index,
      databaseUrl: own.DATABASE_URL ?? (databaseUrl && databaseUrlOf(databaseUrl, name, index)),
      migrateUrl:
        own.MIGRATE_DATABASE_URL ??
        (migrateUrl && own.DATABASE_URL === null ? databaseUrlOf(migrateUrl, name, index) : null),
      settings: {
        ...defaults,
        baseUrl: own.BASE_URL,
        timeZone: own.TIME_ZONE ?? defaults.timeZone,
        requestsPerSecond: own.REQUESTS_PER_SECOND ?? defaults.requestsPerSecond,
        requestBurst: own.REQUEST_BURST ?? defaults.requestBurst,
        addressRequestsPerSecond: own.ADDRESS_REQUESTS_PER_SECOND ?? defaults.addressRequestsPerSecond,
        addressRequestBurst: own.ADDRESS_REQUEST_BURST ?? defaults.addressRequestBurst,
        allowsLocalWebhooks: isLocalAllowed,
        accessTokenSeconds: own.ACCESS_TOKEN_SECONDS ?? defaults.accessTokenSeconds,
        trustsProxy: values.REMIT_TRUST_PROXY,
        webhookSourceAddresses: values.REMIT_WEBHOOK_SOURCE_ADDRESSES,
        webhookAllowedNetworks: own.WEBHOOK_ALLOWED_NETWORKS,
        webhookNameServers: values.REMIT_WEBHOOK_NAME_SERVERS,
        newRecipientsADay: own.NEW_RECIPIENTS_A_DAY ?? defaults.newRecipientsADay,
        mailServer: mailServerOf(values),
        operatorBank: operatorBankOf(own) ?? defaults.operatorBank,
        achFiles,
      },
    }
  })
  if (problems.length > 0)
    throw new StartProblem(
      `The configuration is invalid. Fix these settings:\n${problems.map((problem) => `  ${problem}`).join('\n')}`,
    )

  const keysFolder = databaseUrl === null ? dataDir : resolve(homedir(), '.remit')
  return {
    dataDir,
    host: values.REMIT_HOST,
    logLevel: values.REMIT_LOG_LEVEL,
    metrics: metricsOf(values),
    environments,
    masterKeys: values.REMIT_MASTER_KEYS,
    masterKeysFile: resolve(values.REMIT_MASTER_KEYS_FILE ?? resolve(keysFolder, 'master-keys')),
  }
}

/** The service and the API key that a command uses; null: read from the data directory. */
export type ClientConfig = { dataDir: string; baseUrl: string | null; credential: string | null }

/** @throws StartProblem */
export function readClientConfig(
  flags: Flags & { baseUrl?: string | undefined },
  env: Variables = process.env,
): ClientConfig {
  const problems: string[] = []
  const { REMIT_KEY: key, REMIT_SECRET: secret } = readValues(clientSettings, env, (name) => name, problems)
  const given = flags.baseUrl
  const baseUrl = given === undefined ? { value: null } : httpUrl(given)
  if ('allowed' in baseUrl) problems.push(`--base-url must be ${baseUrl.allowed}`)
  if (problems.length === 0 && (key === null) !== (secret === null))
    problems.push('REMIT_KEY and REMIT_SECRET must be set together')
  if (problems.length > 0) throw new StartProblem(`${problems.join('; ')}.`)
  return {
    dataDir: resolve(flags.dataDir ?? (env.REMIT_DATA_DIR || settings.REMIT_DATA_DIR.fallback)),
    baseUrl: 'value' in baseUrl ? baseUrl.value : null,
    credential: key && `${key}:${secret}`,
  }
}

function readValues<Settings extends Record<string, Setting<unknown>>>(
  list: Settings,
  variables: Variables,
  nameOf: (key: string) => string,
  problems: string[],
): Values<Settings> {
  const entries = Object.entries(list).map(([key, { parse, fallback }]) => {
    const text = variables[nameOf(key)]
    if (text === undefined || text === '') return [key, fallback]
    const result = parse(text)
    if ('value' in result) return [key, result.value]
    problems.push(`${nameOf(key)} must be ${result.allowed}`)
    return [key, fallback]
  })
  return Object.fromEntries(entries) as Values<Settings>
}

function databaseProblems(name: string, url: string | null, allowsPlaintext: boolean): string[] {
  const problem = url && addressProblem(url, { allowsPlaintext })
  return problem ? [`${name} ${problem}`] : []
}

function metricsOf(values: Values<typeof settings>): Config['metrics'] {
  const { REMIT_METRICS_PORT: port, REMIT_METRICS_HOST: host, REMIT_LEDGER_CHECK_MINUTES: minutes } = values
  return port === null ? null : { host, port, verifyLedgerEveryMinutes: minutes }
}

function mailServerOf(values: Values<typeof settings>): MailServer | null {
  const { SMTP_URL: url, REMIT_MAIL_FROM: from, SMTP_ALLOW_PLAINTEXT: allowsPlaintext } = values
  return url === null || from === null ? null : { url, from, allowsPlaintext }
}

const paperParts = ['PAPER_COMPANY_NAME', 'PAPER_BANK_NAME', 'PAPER_ROUTING_NUMBER', 'PAPER_ACCOUNT_NUMBER'] as const

function operatorBankOf(own: Values<typeof environmentSettings>): OperatorBank | null {
  const [companyName, bankName, routingNumber, accountNumber] = paperParts.map((part) => own[part])
  if (!companyName || !bankName || !routingNumber || !accountNumber) return null
  return {
    companyName,
    bankName,
    routingNumber,
    accountNumber,
    fractionalRouting: own.PAPER_FRACTIONAL_ROUTING,
    firstCheckNumber: own.PAPER_FIRST_CHECK_NUMBER,
  }
}

function paperProblems(own: Values<typeof environmentSettings>, name: EnvironmentName): string[] {
  const { PAPER_FRACTIONAL_ROUTING: fraction, PAPER_ROUTING_NUMBER: routingNumber } = own
  if (fraction !== null && routingNumber !== null && !isFractionOf(fraction, routingNumber)) {
    const expected = fractionalRouting(routingNumber)
    const variable = variableOf(name, 'PAPER_FRACTIONAL_ROUTING')
    return [`${variable} must end in ${expected} to match ${variableOf(name, 'PAPER_ROUTING_NUMBER')}`]
  }
  const missing = paperParts.filter((part) => own[part] === null)
  if (missing.length === 0 || missing.length === paperParts.length) return []
  return [`paper checks also need ${missing.map((part) => variableOf(name, part)).join(' and ')}`]
}

/** Null, after adding problems, when a setting is missing. */
function achFilesOf(
  name: EnvironmentName,
  { variables, dataDir, problems }: { variables: Variables; dataDir: string; problems: string[] },
): AchFiles | null {
  const before = problems.length
  const own = readValues(fileNetworkSettings, variables, (part) => variableOf(name, part), problems)
  if (problems.length > before) return null
  const {
    ACH_SETTLEMENT_ACCOUNT: settlementAccount,
    ACH_ACKNOWLEDGEMENTS: ach,
    PAPER_ACKNOWLEDGEMENTS: paper,
    ...needed
  } = own
  const missing = Object.entries(needed).flatMap(([part, value]) => (value === null ? [variableOf(name, part)] : []))
  if (missing.length > 0) {
    problems.push(`${name} needs ${missing.join(', ')} for its ACH files`)
    return null
  }
  const given = needed as { [Name in keyof typeof needed]: string }
  return {
    folder: resolve(dataDir, name),
    acknowledgements: { ach, paper },
    origin: {
      immediateDestination: given.ACH_DESTINATION,
      immediateDestinationName: given.ACH_DESTINATION_NAME,
      immediateOrigin: given.ACH_ORIGIN,
      immediateOriginName: given.ACH_ORIGIN_NAME,
      companyName: given.ACH_COMPANY_NAME,
      companyId: given.ACH_COMPANY_ID,
      odfiRoutingNumber: given.ACH_ODFI,
      settlementAccount,
    },
  }
}

function productionProblems(
  values: Values<typeof settings>,
  { isEmbedded, baseUrl }: { isEmbedded: boolean; baseUrl: string | null },
): string[] {
  return [
    ...(baseUrl?.startsWith('https://') ? [] : ['production needs REMIT_PRODUCTION_BASE_URL: its public https URL']),
    ...(isEmbedded
      ? ['production needs DATABASE_URL or REMIT_PRODUCTION_DATABASE_URL: a PostgreSQL that you back up']
      : []),
    ...(values.REMIT_MASTER_KEYS === null
      ? ['production needs REMIT_MASTER_KEYS, stored separately from the database']
      : []),
  ]
}

/** The first environment uses the database named in DATABASE_URL. The others add their name to it. */
function databaseUrlOf(text: string, name: EnvironmentName, index: number): string {
  if (index === 0) return text
  const url = new URL(text)
  url.pathname += `_${name}`
  return url.href
}

/** Variables with our prefix that are not settings, most likely misspelled. */
export const unknownVariables = (env: Variables = process.env): string[] =>
  Object.keys(env).filter((name) => name.startsWith('REMIT_') && !VARIABLE_NAMES.includes(name))

/** Returns the text of `.env.example`. */
export function envExample(): string {
  const lines = (list: Record<string, Setting<unknown>>, nameOf: (key: string) => string) =>
    Object.entries(list).flatMap(([key, { help, example }]) => [`# ${help}`, `#${nameOf(key)}=${example}`, ''])
  return [
    '# Settings of Remit. All are optional.',
    '',
    ...lines(settings, (key) => key),
    '# Settings of one environment. Replace SANDBOX with DEMO or PRODUCTION for the others.',
    '',
    ...lines(environmentSettings, (key) => variableOf('sandbox', key)),
    '# Settings of production, which sends money in ACH files. The ones without a default or "Unset" are required. See docs/money.md.',
    '',
    ...lines(fileNetworkSettings, (key) => variableOf('production', key)),
    '# Settings of remit listen and remit trigger, with --base-url.',
    '',
    ...lines(clientSettings, (key) => key),
  ]
    .join('\n')
    .replaceAll('ENVIRONMENT.example', 'sandbox.example')
    .replaceAll('remit_ENVIRONMENT', 'remit_sandbox')
    .trimEnd()
    .concat('\n')
}
