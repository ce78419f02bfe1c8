import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import {
  type EnvironmentName,
  type EnvironmentSettings,
  environmentDefaults,
  type MailServer,
} from '../../foundation/core/environment.ts'
import { addressProblem } from '../../foundation/db/driver/server-address.ts'
import type { LogLevel } from '../../foundation/lib/log.ts'
import { StartProblem } from '../../foundation/lib/start-problem.ts'
import type { TracingSettings } from '../../foundation/lib/trace/start-tracing.ts'
import { parsePostalAddress } from '../../payments/mailbox/mailbox-rules.ts'
import {
  fileSetting,
  readSecretFile,
  readSettings,
  type Values,
  type Variables,
  withSecretFiles,
} from './settings-reader.ts'
import {
  clientSettings,
  environmentSettings,
  environmentVariable,
  FILE_SECRETS,
  fileEnvironmentSettings,
  generalSettings,
  VARIABLE_NAMES,
} from './settings-table.ts'
import { httpUrl, MAX_PORT } from './settings-validators.ts'

export type EnvironmentConfig = {
  settings: EnvironmentSettings
  port: number
  /** The database URL of the service. Null: the embedded PostgreSQL. */
  databaseUrl: string | null
  /** The database URL of the schema's owner, for migrations. Null: the same as `databaseUrl`. */
  migrateUrl: string | null
  /** The path of `connections.json`. Null: this environment exchanges no files with a bank. */
  connectionsFile: string | null
  /** The pg_dump archive, or the folder of backups, whose age `remit doctor` reports. */
  backup: string | null
}

export type Config = {
  dataDir: string
  host: string
  logLevel: LogLevel
  /** The address of the metrics endpoint. Null: metrics are not served. */
  metrics: { host: string; port: number; verifyLedgerEveryMinutes: number } | null
  /** The settings of traces, including the share that is kept. Null: no traces. */
  tracing: Pick<TracingSettings, 'serviceName' | 'ratio' | 'sendsToReceivers'> | null
  environments: EnvironmentConfig[]
  /** The text of the key ring. Null: it is read from `masterKeysFile`, which the first start creates. */
  masterKeys: string | null
  masterKeysFile: string
  /** The files from which settings read secrets. */
  secretFiles: string[]
}

/** Command-line flags that override a variable. */
export type Flags = { dataDir?: string | undefined; port?: string | undefined; environments?: string | undefined }

/**
 * Reads the whole configuration. No other code reads `process.env`.
 *
 * @param needsKeys whether production must have master keys. A migration needs none
 * @throws StartProblem that lists every problem: the variable's name and its allowed values
 */
export function readConfig(flags: Flags, env: Variables = process.env, { needsKeys = true } = {}): Config {
  const problems: string[] = []
  const given: Variables = {
    ...env,
    ...(flags.dataDir !== undefined && { REMIT_DATA_DIR: flags.dataDir }),
    ...(flags.port !== undefined && { REMIT_PORT: flags.port }),
    ...(flags.environments !== undefined && { REMIT_ENVIRONMENTS: flags.environments }),
  }
  const variables = withSecretFiles(FILE_SECRETS, given, problems)
  refuse(problems)
  const values = readSettings(generalSettings, variables, { problems })
  const { REMIT_PORT: port, DATABASE_URL: databaseUrl } = values
  const dataDir = resolve(values.REMIT_DATA_DIR)
  if (port + values.REMIT_ENVIRONMENTS.length - 1 > MAX_PORT) {
    problems.push(`REMIT_PORT must be low enough for ${values.REMIT_ENVIRONMENTS.length} ports up to ${MAX_PORT}`)
  }
  problems.push(...databaseProblems('DATABASE_URL', databaseUrl, values))
  problems.push(...databaseProblems('MIGRATE_DATABASE_URL', values.MIGRATE_DATABASE_URL, values))
  if (values.SMTP_URL && !values.REMIT_MAIL_FROM) problems.push('SMTP_URL needs REMIT_MAIL_FROM')
  const environments = values.REMIT_ENVIRONMENTS.map((name, index) =>
    environmentOf({ name, index, values, dataDir, variables, problems }),
  )
  if (needsKeys) problems.push(...masterKeysProblems(values))
  refuse(problems)

  const keysFolder = databaseUrl === undefined ? dataDir : resolve(homedir(), '.remit')
  return {
    dataDir,
    host: values.REMIT_HOST,
    logLevel: values.REMIT_LOG_LEVEL,
    metrics: metricsOf(values),
    tracing: tracingOf(values),
    environments,
    masterKeys: values.REMIT_MASTER_KEYS ?? null,
    masterKeysFile: resolve(values.REMIT_MASTER_KEYS_FILE ?? resolve(keysFolder, 'master-keys')),
    secretFiles: [...FILE_SECRETS, 'REMIT_MASTER_KEYS'].flatMap((name) => given[fileSetting(name)] || []),
  }
}

/** Reports the problems, if there are any. @throws StartProblem */
function refuse(problems: readonly string[]): void {
  if (problems.length === 0) return
  throw new StartProblem(
    `The configuration is invalid. Fix these settings:\n${problems.map((problem) => `  ${problem}`).join('\n')}`,
  )
}

type General = Values<typeof generalSettings>
type Own = Values<typeof environmentSettings>

type EnvironmentInput = {
  name: EnvironmentName
  index: number
  values: General
  dataDir: string
  variables: Variables
  problems: string[]
}

/** Builds the configuration of an environment. Adds a line to `problems` for each wrong or missing setting. */
function environmentOf(input: EnvironmentInput): EnvironmentConfig {
  const { name, index, values, variables, problems } = input
  const own = readSettings(environmentSettings, variables, {
    nameOf: (part) => environmentVariable(name, part),
    problems,
  })
  const defaults = environmentDefaults[name]
  const { connectionsFile, backup } =
    defaults.railNetwork === 'file' ? filesOf(name, variables) : { connectionsFile: null, backup: null }
  const { REMIT_PORT: port, DATABASE_URL: databaseUrl, MIGRATE_DATABASE_URL: migrateUrl } = values
  for (const part of ['DATABASE_URL', 'MIGRATE_DATABASE_URL'] as const)
    problems.push(...databaseProblems(environmentVariable(name, part), own[part], values))
  const isEmbedded = databaseUrl === undefined && own.DATABASE_URL === undefined
  if (isEmbedded && (migrateUrl ?? own.MIGRATE_DATABASE_URL) !== undefined)
    problems.push(`MIGRATE_DATABASE_URL of ${name} also needs the matching DATABASE_URL`)
  if (name === 'production') problems.push(...productionProblems({ isEmbedded, baseUrl: own.BASE_URL }))
  if (defaults.railNetwork === 'file' && connectionsFile === null) {
    problems.push(
      `${name} needs ${environmentVariable(name, 'CONNECTIONS')}: the file that describes its banks. To create one: remit connections init`,
    )
  }
  const general = own.DATABASE_URL === undefined ? migrateUrl : undefined
  return {
    connectionsFile,
    backup,
    port: port === 0 ? 0 : port + index,
    databaseUrl: own.DATABASE_URL ?? (databaseUrl ? databaseUrlOf(databaseUrl, name, index) : null),
    migrateUrl: own.MIGRATE_DATABASE_URL ?? (general ? databaseUrlOf(general, name, index) : null),
    settings: environmentSettingsOf(input, { own, isEmbedded }),
  }
}

function environmentSettingsOf(
  input: EnvironmentInput,
  { own, isEmbedded }: { own: Own; isEmbedded: boolean },
): EnvironmentSettings {
  const { name, values } = input
  const defaults = environmentDefaults[name]
  return {
    ...defaults,
    baseUrl: own.BASE_URL ?? null,
    timeZone: own.TIME_ZONE ?? defaults.timeZone,
    requestsPerSecond: own.REQUESTS_PER_SECOND ?? defaults.requestsPerSecond,
    requestBurst: own.REQUEST_BURST ?? defaults.requestBurst,
    addressRequestsPerSecond: own.ADDRESS_REQUESTS_PER_SECOND ?? defaults.addressRequestsPerSecond,
    addressRequestBurst: own.ADDRESS_REQUEST_BURST ?? defaults.addressRequestBurst,
    allowsLocalWebhooks: name !== 'production' && (values.REMIT_ALLOW_LOCAL_WEBHOOKS ?? isEmbedded),
    accessTokenSeconds: own.ACCESS_TOKEN_SECONDS ?? defaults.accessTokenSeconds,
    keepsRequestLog: own.REQUEST_LOG,
    trustsProxy: values.REMIT_TRUST_PROXY,
    webhookSourceAddresses: values.REMIT_WEBHOOK_SOURCE_ADDRESSES,
    webhookAllowedNetworks: own.WEBHOOK_ALLOWED_NETWORKS,
    webhookNameServers: values.REMIT_WEBHOOK_NAME_SERVERS,
    newRecipientsADay: own.NEW_RECIPIENTS_A_DAY ?? defaults.newRecipientsADay,
    checkHoldBankingDays: own.CHECK_HOLD_DAYS ?? defaults.checkHoldBankingDays,
    mailServer: mailServerOf(values),
    mailboxAddress: own.MAILBOX_ADDRESS ? parsePostalAddress(own.MAILBOX_ADDRESS) : defaults.mailboxAddress,
    stateFolder: defaults.railNetwork === 'file' ? resolve(input.dataDir, name) : null,
  }
}

/** The service and the API key in the settings of a command. Null: not set. */
export type ClientConfig = {
  dataDir: string
  baseUrl: string | null
  credential: string | null
  profile: string | null
  /** The file of the profiles. */
  profilesFile: string
}

/**
 * Reads the settings of a command that calls a service. A profile that an option names takes precedence over the variables. @throws
 * StartProblem
 */
export function readClientConfig(
  flags: Flags & { baseUrl?: string | undefined; profile?: string | undefined },
  env: Variables = process.env,
): ClientConfig {
  const problems: string[] = []
  const table = {
    ...clientSettings,
    REMIT_DATA_DIR: generalSettings.REMIT_DATA_DIR,
    '--base-url': httpUrl({ default: undefined }),
  }
  const values = readSettings(table, { ...env, '--base-url': flags.baseUrl }, { problems })
  const { REMIT_KEY: key, REMIT_SECRET: secret, REMIT_BASE_URL, REMIT_PROFILE } = values
  if (problems.length === 0 && (key === undefined) !== (secret === undefined))
    problems.push('REMIT_KEY and REMIT_SECRET must be set together')
  if (problems.length > 0) throw new StartProblem(`${problems.join('; ')}.`)
  const ignoresVariables = flags.profile !== undefined
  return {
    dataDir: resolve(flags.dataDir ?? values.REMIT_DATA_DIR),
    baseUrl: values['--base-url'] ?? (ignoresVariables ? null : (REMIT_BASE_URL ?? null)),
    credential: key === undefined || ignoresVariables ? null : `${key}:${secret}`,
    profile: flags.profile ?? REMIT_PROFILE ?? null,
    profilesFile: join(env.XDG_CONFIG_HOME || join(homedir(), '.config'), 'remit', 'profiles.json'),
  }
}

function databaseProblems(name: string, url: string | undefined, { DATABASE_ALLOW_PLAINTEXT }: General): string[] {
  const problem = url && addressProblem(url, { allowsPlaintext: DATABASE_ALLOW_PLAINTEXT })
  return problem ? [`${name} ${problem}`] : []
}

const tracingOf = (values: General): Config['tracing'] =>
  values.OTEL_EXPORTER_OTLP_ENDPOINT === undefined
    ? null
    : {
        serviceName: values.OTEL_SERVICE_NAME,
        ratio: values.OTEL_TRACES_SAMPLER_ARG,
        sendsToReceivers: values.REMIT_TRACE_RECEIVERS,
      }

function metricsOf(values: General): Config['metrics'] {
  const { REMIT_METRICS_PORT: port, REMIT_METRICS_HOST: host, REMIT_LEDGER_CHECK_MINUTES: minutes } = values
  return port === undefined ? null : { host, port, verifyLedgerEveryMinutes: minutes }
}

function mailServerOf(values: General): MailServer | null {
  const { SMTP_URL: url, REMIT_MAIL_FROM: from, SMTP_ALLOW_PLAINTEXT: allowsPlaintext } = values
  return url === undefined || from === undefined ? null : { url, from, allowsPlaintext }
}

function productionProblems({ isEmbedded, baseUrl }: { isEmbedded: boolean; baseUrl: string | undefined }): string[] {
  return [
    ...(baseUrl?.startsWith('https://') ? [] : ['production needs REMIT_PRODUCTION_BASE_URL: its public https URL']),
    ...(isEmbedded
      ? ['production needs DATABASE_URL or REMIT_PRODUCTION_DATABASE_URL: a PostgreSQL that you back up']
      : []),
  ]
}

/**
 * Returns the problems of the master keys. Production never creates keys, because they must be stored before the first value is encrypted.
 */
function masterKeysProblems({ REMIT_MASTER_KEYS: keys, REMIT_MASTER_KEYS_FILE: path, ...values }: General): string[] {
  const isRequired = values.REMIT_ENVIRONMENTS.includes('production')
  if (keys !== undefined) return path ? ['REMIT_MASTER_KEYS_FILE must be unset, because REMIT_MASTER_KEYS is set'] : []
  if (path === undefined)
    return isRequired
      ? ['production needs REMIT_MASTER_KEYS or REMIT_MASTER_KEYS_FILE, stored separately from the database']
      : []
  const problems: string[] = []
  if (isRequired || existsSync(path)) readSecretFile('REMIT_MASTER_KEYS_FILE', path, problems)
  return problems
}

/** Returns the path of `connections.json` in the settings of an environment, for a command that may run before the other settings exist. */
export const connectionsFileOf = (name: EnvironmentName, env?: Variables): string | null =>
  filesOf(name, env).connectionsFile

function filesOf(name: EnvironmentName, env: Variables = process.env) {
  const { CONNECTIONS: connections, BACKUP: backup } = readSettings(fileEnvironmentSettings, env, {
    nameOf: (part) => environmentVariable(name, part),
    problems: [],
  })
  return { connectionsFile: connections ? resolve(connections) : null, backup: backup ? resolve(backup) : null }
}

/**
 * Reads the rules for calls of processors in an environment, for a command that may run before the other settings exist. If
 * REMIT_ALLOW_LOCAL_WEBHOOKS is set, the command may call this machine.
 *
 * @throws StartProblem
 */
export function callSettingsOf(name: EnvironmentName, env: Variables = process.env): EnvironmentSettings {
  const problems: string[] = []
  const values = readSettings(generalSettings, env, { problems })
  const own = readSettings(environmentSettings, env, { nameOf: (part) => environmentVariable(name, part), problems })
  refuse(problems)
  return {
    ...environmentDefaults[name],
    allowsLocalWebhooks: values.REMIT_ALLOW_LOCAL_WEBHOOKS ?? false,
    webhookSourceAddresses: values.REMIT_WEBHOOK_SOURCE_ADDRESSES,
    webhookAllowedNetworks: own.WEBHOOK_ALLOWED_NETWORKS,
    webhookNameServers: values.REMIT_WEBHOOK_NAME_SERVERS,
  }
}

/** Returns the database URL of an environment. The first one uses the database in DATABASE_URL. The others append their name to it. */
function databaseUrlOf(text: string, name: EnvironmentName, index: number): string {
  if (index === 0) return text
  const url = new URL(text)
  url.pathname += `_${name}`
  return url.href
}

/** Lists variables with our prefix that are not settings, and are probably misspelled. */
export const unknownVariables = (env: Variables = process.env): string[] =>
  Object.keys(env).filter((name) => name.startsWith('REMIT_') && !VARIABLE_NAMES.includes(name))
