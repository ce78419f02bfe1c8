import { type Static, type TSchema, Type } from 'typebox'
import { DEFAULT_LAYOUT } from '../../foundation/core/check-layout.ts'
import {
  ACKNOWLEDGEMENTS,
  CARRIED_RAILS,
  type CarriedRail,
  KEEP_BYTES_DAYS,
  UPLOADS,
} from '../../foundation/core/connections.ts'
import { FIRST_CHECK_NUMBER } from '../../foundation/core/environment.ts'
import {
  closed,
  file,
  ID,
  idOf,
  listOf,
  ONE_LINE,
  oneOf,
  TIME,
  textLike,
  wholeNumber,
  yesOrNo,
} from './connections-schema-part-rules.ts'
import { iso20022 } from './iso20022-schema-rules.ts'
import { adapter, httpsTransport, paypal } from './processor-schema-rules.ts'
import { statements } from './statements-schema-rules.ts'
import { virtualAccounts } from './virtual-accounts-schema-rules.ts'

/** The default values of optional keys. */
export const defaults = {
  port: 22,
  packetBytes: 32_768,
  connectSeconds: 20,
  answerSeconds: 30,
  sessionSeconds: 900,
  keepBytesDays: KEEP_BYTES_DAYS,
}

const id = (description: string) =>
  textLike(ID, {
    description,
    errorMessage: 'must be at most 30 lower-case letters, digits and hyphens, and begin with a letter',
  })

const routing = (description: string) =>
  textLike('^[0-9]{9}$', { description, errorMessage: 'must be a routing number of nine digits' })

const time = (description: string) =>
  textLike(`^${TIME}$`, { description, errorMessage: 'must be a time from 00:00 to 23:59' })

const asciiText = (maxLength: number, description: string) =>
  textLike(`^(?=.*[!-~])[ -~]{1,${maxLength}}$`, {
    description,
    errorMessage: `must be at most ${maxLength} ASCII characters`,
  })

const paperText = (description: string) =>
  textLike('^.{1,60}$', { description, errorMessage: 'must be a name of at most 60 Latin letters' })

const companyNumber = (description: string) =>
  textLike('^[A-Z0-9]{9,10}$', { description, errorMessage: 'must be 9 or 10 capital letters and digits' })

const dollars = (description: string) =>
  Type.Optional(wholeNumber(1, 9_999_999_999, { description: `${description} In whole dollars. Default: no limit.` }))

const acknowledgements = (description: string) =>
  Type.Optional(oneOf(ACKNOWLEDGEMENTS, { description, default: 'required' }))

const remoteFolder = (description: string) =>
  textLike(ONE_LINE, { description, errorMessage: 'must be a folder on the server' })

const folderTransport = closed({
  type: Type.Literal('folder'),
  path: textLike(ONE_LINE, {
    description: 'Folder with outbound/ and inbound/, in which a job of yours exchanges files with the bank.',
    errorMessage: 'must be the path of a folder',
  }),
})

const pgp = closed(
  {
    encrypt_to_files: Type.Optional(
      listOf(file('A public key of the bank.'), {
        description: 'Public keys of the bank. Files are encrypted to all of them. Default: not encrypted.',
      }),
    ),
    sign_with_file: Type.Optional(file('Your private key that signs files. Default: not signed.')),
    decrypt_with_file: Type.Optional(file('Your private key that decrypts files of the bank. Default: none.')),
    passphrase_file: Type.Optional(file('Passphrase of your private keys. Default: they have none.')),
    require_signature_of_files: Type.Optional(
      listOf(file('A public key of the bank.'), {
        description:
          'Public keys of the bank. A file without a signature of one of them is an exception. Default: not required.',
      }),
    ),
    armored: Type.Optional(yesOrNo('Whether encrypted files are text (ASCII armor) instead of binary.', false)),
  },
  { description: 'OpenPGP for files in both directions.', minProperties: 1 },
)

const timeouts = closed(
  {
    connect_seconds: Type.Optional(
      wholeNumber(1, 300, { description: 'For connecting and signing in.', default: defaults.connectSeconds }),
    ),
    answer_seconds: Type.Optional(
      wholeNumber(1, 600, { description: 'For each answer of the server.', default: defaults.answerSeconds }),
    ),
    session_seconds: Type.Optional(
      wholeNumber(10, 7_200, { description: 'For a whole session.', default: defaults.sessionSeconds }),
    ),
  },
  { description: 'How long Remit waits for the server.' },
)

const sftpTransport = closed({
  type: Type.Literal('sftp'),
  host: textLike('^[^\\s/@]{1,253}$', {
    description: 'Host name or address of the server.',
    errorMessage: 'must be a host name or an address, without user and path',
  }),
  port: Type.Optional(wholeNumber(1, 65_535, { description: 'Port of the server.', default: defaults.port })),
  user: textLike('^[^\\u0000-\\u001f]{1,256}$', {
    description: 'User name at the server.',
    errorMessage: 'must be the name of a user',
  }),
  key_file: Type.Optional(file('Your private key for SSH. Give either this or password_file.')),
  passphrase_file: Type.Optional(file('Passphrase of key_file. Default: it has none.')),
  password_file: Type.Optional(file('Your password, for banks that do not take keys.')),
  host_keys: listOf(
    textLike(ONE_LINE, {
      description: 'SHA256:…, as ssh-keygen prints it, or a line of known_hosts.',
      errorMessage: 'must be SHA256:… or a line of known_hosts',
    }),
    {
      description: 'Keys of the server. Nothing is sent to a server with another key. Name both during a rotation.',
      minItems: 1,
    },
  ),
  out: remoteFolder('Folder on the server to which Remit uploads.'),
  in: remoteFolder('Folder on the server from which Remit downloads.'),
  upload: Type.Optional(
    oneOf(UPLOADS, {
      description:
        'How a file gets its name. rename: it is written under a temporary name first. direct: for servers that forbid renaming. vanishes: as rename, for servers that take files away at once.',
      default: 'rename',
    }),
  ),
  remove_after_reading: Type.Optional(
    yesOrNo('Whether a file is removed from the server after its content is committed here.', false),
  ),
  packet_bytes: Type.Optional(
    wholeNumber(1_024, 261_120, {
      description: 'Bytes in one packet. Some servers take less than the default.',
      default: defaults.packetBytes,
    }),
  ),
  timeouts: Type.Optional(timeouts),
  pgp: Type.Optional(pgp),
})

/** Returns a conditional schema for one value of `type`. */
const branch = (type: string, schema: TSchema) => ({
  if: { properties: { type: { const: type } }, required: ['type'] },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: schema,
})

/** `type` selects the branch, so that all errors concern the selected type. */
const transport = Type.Unsafe<
  Static<typeof folderTransport> | Static<typeof sftpTransport> | Static<typeof httpsTransport>
>({
  type: 'object',
  description: 'How files and orders reach the bank or processor.',
  required: ['type'],
  properties: {
    type: oneOf(['folder', 'sftp', 'https'], {
      description:
        'folder: a job of yours moves files. sftp: Remit does. https: Remit calls a processor for each order.',
    }),
  },
  allOf: [branch('folder', folderTransport), branch('sftp', sftpTransport), branch('https', httpsTransport)],
})

const account = closed({
  id: id('Name of the account in this file, such as operating.'),
  routing: routing('Routing number of the bank.'),
  number_file: file('File with the account number: 4 to 17 digits.'),
  type: Type.Optional(oneOf(['checking', 'savings'], { description: 'Type of the account.', default: 'checking' })),
  currency: Type.Optional(oneOf(['USD'], { description: 'Currency of the account.', default: 'USD' })),
})

const ach = closed(
  {
    destination: routing('Routing number of the bank or processor that receives the ACH files.'),
    destination_name: asciiText(23, 'Name of that bank or processor.'),
    origin: companyNumber(
      'Immediate origin of the files, as assigned by the bank. Usually 1 followed by the tax number.',
    ),
    origin_name: asciiText(23, 'Name of the origin.'),
    company_name: asciiText(16, 'Company name on account holders’ statements.'),
    company_id: companyNumber('Company id assigned by the bank.'),
    odfi: routing('Routing number of the originating bank (ODFI). Trace numbers begin with it.'),
    windows: Type.Array(time('A cut-off time of a banking day.'), {
      description: 'Cut-off times of a banking day, in order. A file is written for each.',
      minItems: 1,
      maxItems: 24,
    }),
    acknowledgements: acknowledgements(
      'When an ACH file counts as accepted. required: when the bank acknowledges it. none: when it was transmitted and its settlement time has passed.',
    ),
    balancing_account: Type.Optional(
      idOf(
        'an account',
        'Account for the balancing entry of every batch, if the bank requires one. Default: the bank books the other side.',
      ),
    ),
    limits: Type.Optional(
      closed(
        {
          entries_per_file: Type.Optional(
            wholeNumber(1, 1_000_000, { description: 'Maximum number of entries in a file. Default: no limit.' }),
          ),
          amount_per_file: dollars('Maximum sum of debits, and of credits, in a file.'),
          amount_per_day: dollars('Maximum sum of debits, and of credits, in all files of a banking day.'),
        },
        {
          description:
            'Limits of the bank. Entries above them wait for the next file: platforms take turns, and the oldest payments come first.',
        },
      ),
    ),
  },
  { description: 'Settings of ACH files. Required for a connection with the rail ACH.' },
)

const checks = closed(
  {
    account: idOf('an account', 'Account that checks are drawn on.'),
    company_name: paperText('Company that holds the account, as printed on checks.'),
    bank_name: paperText('Name of the bank, as printed on checks.'),
    fractional_routing: Type.Optional(
      textLike('^([0-9]{1,2}-)?[0-9]{1,4}/[0-9]{1,4}$', {
        description:
          'Fractional routing number as printed on the bank’s checks. Default: derived from the routing number, without the prefix.',
        errorMessage: 'must be a fractional routing number such as 55-2/212',
      }),
    ),
    first_check_number: Type.Optional(
      wholeNumber(1, 999_999_999, {
        description: 'First check number of this account. A higher value later takes effect with the next check.',
        default: FIRST_CHECK_NUMBER,
      }),
    ),
    acknowledgements: acknowledgements(
      'When a list of issued or stopped checks counts as accepted, as for ACH files. With required, confirm each list with "remit files accept".',
    ),
    positive_pay: Type.Optional(
      textLike(ONE_LINE, {
        description:
          'Layout of the lists of issued, stopped and paid checks: csv-with-headings, csv-with-totals, fixed-with-totals, or the path of a file of your own.',
        errorMessage: 'must be the name of a layout or the path of a file',
        default: DEFAULT_LAYOUT,
      }),
    ),
  },
  { description: 'Settings of checks. Required for a connection with the rail PRINT or MAIL.' },
)

const connection = closed({
  id: id('Name of the connection in commands, exceptions, metrics and files.'),
  transport,
  zone: textLike('^[A-Za-z][A-Za-z0-9_+/-]*$', {
    description: 'Time zone of the bank, for its cut-offs and for expected.',
    errorMessage: 'must be a time zone of the IANA database such as America/New_York',
  }),
  holidays: Type.Optional(
    listOf(Type.String({ format: 'date', errorMessage: 'must be a date such as 2026-12-24' }), {
      description: 'Days on which this bank is closed, in addition to the holidays of the Federal Reserve.',
    }),
  ),
  expected: Type.Optional(
    textLike(`^(each banking day by ${TIME}|every [1-9][0-9]{0,2} hours?)$`, {
      description: 'The schedule on which the bank must send a file. Default: none.',
      errorMessage: 'must be "each banking day by HH:MM" or "every N hours"',
    }),
  ),
  accounts: Type.Optional(Type.Array(account, { description: 'Your accounts at the bank.' })),
  ach: Type.Optional(ach),
  checks: Type.Optional(checks),
  iso20022: Type.Optional(iso20022),
  statements: Type.Optional(statements),
  virtual_accounts: Type.Optional(virtualAccounts),
  adapter: Type.Optional(adapter),
  paypal: Type.Optional(paypal),
})

/** The schema of `connections.json`. */
export const connectionsSchema = closed({
  $schema: Type.Optional(Type.String({ description: 'Path of this schema, for editors.' })),
  connections: Type.Array(connection, { description: 'One for each contract with a bank.', minItems: 1 }),
  rails: Type.Unsafe<{ [Rail in CarriedRail]?: string }>(
    closed(
      Object.fromEntries(
        CARRIED_RAILS.map((rail) => [
          rail,
          Type.Optional(idOf('a connection', `The connection that carries ${rail}.`)),
        ]),
      ),
      { description: 'The connection of each rail. A rail that is missing is not offered.', minProperties: 1 },
    ),
  ),
  keep_bytes_days: Type.Optional(
    wholeNumber(1, 3_650, {
      description: 'For how many days the bytes of a file are kept after it has ended.',
      default: defaults.keepBytesDays,
    }),
  ),
})

export type ConnectionsFile = Static<typeof connectionsSchema>
export type ConnectionInFile = ConnectionsFile['connections'][number]

/** Returns the text of the schema that the package contains in `schemas/connections.schema.json`. */
export function schemaText(): string {
  const head = { $schema: 'https://json-schema.org/draft/2020-12/schema', title: 'Connections of Remit' }
  return `${JSON.stringify({ ...head, ...connectionsSchema }, null, 2)}\n`
}
