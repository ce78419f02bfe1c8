import { ENVIRONMENT_NAMES, type EnvironmentName, environmentDefaults } from '../../foundation/core/environment.ts'
import { LOG_LEVELS } from '../../foundation/lib/log.ts'
import { fileSetting } from './settings-reader.ts'
import {
  anyText,
  apiKey,
  apiSecret,
  choice,
  databaseUrl,
  environmentList,
  httpUrl,
  integer,
  ipAddresses,
  MAX_PORT,
  mailbox,
  masterKeys,
  nameServers,
  networks,
  share,
  smtpUrl,
  timeZone,
  usAddress,
  yesOrNo,
} from './settings-validators.ts'

const port = integer(0, MAX_PORT)
const rate = integer(1, 1_000_000)

/** Every variable that the program reads, in the order of `.env.example`. */
export const generalSettings = {
  REMIT_DATA_DIR: anyText({
    default: '.remit',
    example: '.remit',
    desc: 'Folder for the embedded PostgreSQL and the files that npm start writes for you. Also --data-dir.',
  }),
  REMIT_PORT: port({
    default: 4000,
    example: '4000',
    desc: 'Port of the first environment. Each further environment uses the next port. 0: any free ports. Also --port.',
  }),
  REMIT_HOST: anyText({
    default: 'localhost',
    example: 'localhost',
    desc: 'Address to listen on. 0.0.0.0: all interfaces.',
  }),
  REMIT_ENVIRONMENTS: environmentList({
    default: ['sandbox', 'demo'],
    example: 'sandbox,demo',
    desc: 'Environments to run: sandbox, demo, production. Also --environments.',
  }),
  REMIT_LOG_LEVEL: choice(LOG_LEVELS)({
    default: 'info',
    example: 'info',
    desc: 'debug, info, warn, error or silent. Logs are JSON lines on standard error.',
  }),
  DATABASE_URL: databaseUrl({
    default: undefined,
    example: 'postgres://remit:secret@localhost:5432/remit',
    desc: 'PostgreSQL 15 or newer. The first environment uses this database. Each other environment uses NAME_ENVIRONMENT on the same server. A server on another machine needs ?sslmode=verify-full. Several servers: HOST:PORT,HOST:PORT. Unset: an embedded PostgreSQL in the data directory.',
  }),
  MIGRATE_DATABASE_URL: databaseUrl({
    default: undefined,
    example: 'postgres://remit_owner:secret@localhost:5432/remit',
    desc: 'The same database with the role that owns it, which migrates the tables and grants rights to the role of DATABASE_URL. Production reads it only in remit migrate. Unset: the role of DATABASE_URL.',
  }),
  DATABASE_ALLOW_PLAINTEXT: yesOrNo({
    default: false,
    example: 'true',
    desc: 'Allow a PostgreSQL on another machine without TLS or without a checked certificate. Default: false.',
  }),
  REMIT_MASTER_KEYS: masterKeys({
    default: undefined,
    example: 'k1:MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=',
    desc: 'Keys that encrypt secrets in the database, as ID:KEY[,ID:KEY…]. Each KEY is 32 bytes in base64 (openssl rand -base64 32). The first key encrypts, and all keys decrypt. Production requires them here or in a file.',
  }),
  REMIT_MASTER_KEYS_FILE: anyText({
    default: undefined,
    example: '.remit/master-keys',
    desc: 'File with the keys, instead of REMIT_MASTER_KEYS. The first start creates it, but not in production. Default: master-keys in the data directory, or ~/.remit/master-keys with DATABASE_URL.',
  }),
  SMTP_URL: smtpUrl({
    default: undefined,
    example: 'smtps://USER:PASSWORD@mail.example.com:465',
    desc: 'Mail server. smtps:// connects over TLS, and smtp:// upgrades to TLS (STARTTLS). Unset: mail stays in the database for 30 days, and sandbox and demo show it at /mail.',
  }),
  SMTP_ALLOW_PLAINTEXT: yesOrNo({
    default: false,
    example: 'true',
    desc: 'Allow sending mail and the password of SMTP_URL unencrypted when the mail server offers no TLS. Also needed for local servers. Default: false.',
  }),
  REMIT_MAIL_FROM: mailbox({
    default: undefined,
    example: 'Remit <remit@example.com>',
    desc: 'Sender of mail. Required with SMTP_URL.',
  }),
  REMIT_ALLOW_LOCAL_WEBHOOKS: yesOrNo({
    default: undefined,
    example: 'true',
    desc: 'Allow webhooks to http://localhost in sandbox and demo. Default: true with the embedded PostgreSQL, otherwise false.',
  }),
  REMIT_WEBHOOK_SOURCE_ADDRESSES: ipAddresses({
    default: [],
    example: '192.0.2.10,192.0.2.11',
    desc: 'Source addresses for webhooks, used in turn and shown in the developer settings. Unset: the operating system chooses.',
  }),
  REMIT_WEBHOOK_NAME_SERVERS: nameServers({
    default: [],
    example: '192.0.2.53,[2001:db8::53]:5353',
    desc: 'DNS servers that resolve the hosts of webhooks. Unset: those of the machine.',
  }),
  REMIT_TRUST_PROXY: yesOrNo({
    default: false,
    example: 'true',
    desc: 'Trust the last entry of X-Forwarded-For as the client address. Set this behind exactly one proxy. Default: false.',
  }),
  REMIT_METRICS_PORT: port({
    default: undefined,
    example: '9464',
    desc: 'Port of /metrics for Prometheus. It needs no credentials, so keep it private. Unset: no metrics.',
  }),
  REMIT_METRICS_HOST: anyText({ default: 'localhost', example: 'localhost', desc: 'Address that serves metrics.' }),
  REMIT_LEDGER_CHECK_MINUTES: integer(
    0,
    10_080,
  )({
    default: 60,
    example: '60',
    desc: 'Minutes between checks of the whole ledger for metrics, in the process that does background work. 0: never. Default: 60.',
  }),
  OTEL_EXPORTER_OTLP_ENDPOINT: httpUrl({
    default: undefined,
    example: 'http://localhost:4318',
    desc: 'URL that receives traces, by OTLP over HTTP as JSON. The other OTEL_EXPORTER_OTLP_… variables of OpenTelemetry also work. Unset: no traces.',
  }),
  OTEL_SERVICE_NAME: anyText({
    default: 'remit',
    example: 'remit',
    desc: 'Name of this process in traces. Default: remit.',
  }),
  OTEL_TRACES_SAMPLER_ARG: share({
    default: 1,
    example: '0.1',
    desc: 'Share of traces that is kept, from 0 to 1. All spans of a payment are kept, or none. Default: 1.',
  }),
  REMIT_TRACE_RECEIVERS: yesOrNo({
    default: true,
    example: 'false',
    desc: 'Send traceparent to receivers of webhooks when traces are on. Default: true.',
  }),
} as const

/** The variables of one environment, such as `REMIT_SANDBOX_DATABASE_URL`. */
export const environmentSettings = {
  DATABASE_URL: databaseUrl({
    default: undefined,
    example: 'postgres://remit:secret@localhost:5432/remit_ENVIRONMENT',
    desc: 'Database of this environment, instead of DATABASE_URL.',
  }),
  MIGRATE_DATABASE_URL: databaseUrl({
    default: undefined,
    example: 'postgres://remit_owner:secret@localhost:5432/remit_ENVIRONMENT',
    desc: 'The same database with the role that owns it, instead of MIGRATE_DATABASE_URL.',
  }),
  BASE_URL: httpUrl({
    default: undefined,
    example: 'https://ENVIRONMENT.example.com',
    desc: 'Public URL of this environment. Production requires https and answers requests for this host only.',
  }),
  REQUESTS_PER_SECOND: rate({
    default: undefined,
    example: '1000',
    desc: 'Average requests per second for one API key, session or application. A user gets 2 times, a platform 100 times as many. Default: 1000, in production 100.',
  }),
  REQUEST_BURST: rate({
    default: undefined,
    example: '2000',
    desc: 'Burst of requests for one API key, session or application. A user gets 2 times, a platform 100 times as many. Default: 2000, in production 200.',
  }),
  ADDRESS_REQUESTS_PER_SECOND: rate({
    default: undefined,
    example: '200',
    desc: 'Average requests per second from one network address, for requests without credentials or with wrong ones. Default: 200, in production 50.',
  }),
  ADDRESS_REQUEST_BURST: rate({
    default: undefined,
    example: '400',
    desc: 'Burst of such requests from one network address. Default: 400, in production 200.',
  }),
  ACCESS_TOKEN_SECONDS: integer(
    60,
    86_400,
  )({ default: undefined, example: '3600', desc: 'Lifetime of an access token in seconds. Default: 3600.' }),
  WEBHOOK_ALLOWED_NETWORKS: networks({
    default: [],
    example: '10.20.0.0/16,fd12:3456::/32',
    desc: 'Private networks to which webhooks are allowed. All other rules still apply: https, a valid certificate, no redirects.',
  }),
  NEW_RECIPIENTS_A_DAY: integer(
    0,
    1_000_000,
  )({
    default: undefined,
    example: '50',
    desc: 'New recipients without an account that a platform can mail per day (UTC). In production, the limit ends when the owner is VERIFIED. Default: 50.',
  }),
  CHECK_HOLD_DAYS: integer(
    1,
    60,
  )({
    default: undefined,
    example: '5',
    desc: 'Banking days from the settlement of the debit for a scanned check until its money is paid out. Default: 5 in production, otherwise 2.',
  }),
  REQUEST_LOG: yesOrNo({
    default: true,
    example: 'false',
    desc: 'Keep the requests of programs for seven days, without queries, for Developers > Requests. Default: true.',
  }),
  TIME_ZONE: timeZone({
    default: undefined,
    example: 'America/New_York',
    desc: 'Time zone for the dates on checks and in files about checks. Default: America/Los_Angeles.',
  }),
  MAILBOX_ADDRESS: usAddress({
    default: undefined,
    example: '1 Main St, Springfield, IL 62701',
    desc: 'Address at which the provider of mailboxes receives mail. Without it, production has no mailboxes.',
  }),
} as const

/** The variables for banks and backups, in environments that exchange files with banks. */
export const fileEnvironmentSettings = {
  CONNECTIONS: anyText({
    default: undefined,
    example: '/etc/remit/connections.json',
    desc: 'File with your banks. To write one: remit connections init. See docs/banks.md.',
  }),
  BACKUP: anyText({
    default: undefined,
    example: '/backups',
    desc: 'Backup of the database by pg_dump, or the folder of backups. remit doctor reports its age.',
  }),
} as const

/** The variables of the commands that call a running service. */
export const clientSettings = {
  REMIT_KEY: apiKey({
    default: undefined,
    example: '0123456789abcdef0123456789abcdef',
    desc: 'API key. Unset: that of the profile, otherwise the key in sandbox.json in the data directory.',
  }),
  REMIT_SECRET: apiSecret({ default: undefined, example: 'SECRET', desc: 'Secret of the API key.' }),
  REMIT_BASE_URL: httpUrl({
    default: undefined,
    example: 'https://payments.example.com',
    desc: 'URL of the service. Also --base-url.',
  }),
  REMIT_PROFILE: anyText({
    default: undefined,
    example: 'default',
    desc: 'Profile of remit login. Unset: the one chosen last. Also --profile.',
  }),
} as const

const fileEnvironments = ENVIRONMENT_NAMES.filter((name) => environmentDefaults[name].railNetwork === 'file')

/** Returns the variable for a setting of one environment, such as `REMIT_SANDBOX_BASE_URL`. */
export const environmentVariable = (environment: EnvironmentName, name: string) =>
  `REMIT_${environment.toUpperCase()}_${name}`

const ownVariables = (keys: readonly string[]) =>
  ENVIRONMENT_NAMES.flatMap((environment) => keys.map((key) => environmentVariable(environment, key)))

/**
 * The settings with a secret that may be in a file instead. REMIT_MASTER_KEYS has a separate row for its file, because the first start
 * creates that file.
 */
export const FILE_SECRETS: readonly string[] = [
  'DATABASE_URL',
  'MIGRATE_DATABASE_URL',
  'SMTP_URL',
  ...ownVariables(['DATABASE_URL', 'MIGRATE_DATABASE_URL']),
]

/** The names of all settings, in the order of `.env.example`. */
export const VARIABLE_NAMES: string[] = [
  ...Object.keys(generalSettings),
  ...FILE_SECRETS.map(fileSetting),
  ...ownVariables(Object.keys(environmentSettings)),
  ...fileEnvironments.flatMap((environment) =>
    Object.keys(fileEnvironmentSettings).map((name) => environmentVariable(environment, name)),
  ),
  ...Object.keys(clientSettings),
]
