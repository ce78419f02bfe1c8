import assert from 'node:assert/strict'
import { chmod, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { checkConnections, readConnections } from '../src/connections/config/connections-actions.ts'
import { exampleText } from '../src/connections/config/connections-example-rules.ts'
import { connectionsSchema } from '../src/connections/config/connections-schema-rules.ts'
import { shapeProblems } from '../src/connections/config/connections-shape-rules.ts'
import { parseConnections } from '../src/connections/config/connections-syntax-rules.ts'
import { openConnections } from '../src/connections/config/current-connections-actions.ts'
import { StartProblem } from '../src/foundation/lib/start-problem.ts'
import { layouts } from './support/check-layouts.ts'
import { CONNECTION_SECRETS, connectionsFolder, HOST_KEY, twoBanks, writeConnections } from './support/connections.ts'

/** Returns the faults of a file as the operator sees them, without their lines. */
async function faultsOf(path: string): Promise<string[]> {
  const { faults } = await checkConnections(path)
  const texts = faults.map(({ place, problem }) => `${place}: ${problem}`)
  for (const secret of Object.values(CONNECTION_SECRETS)) assert.ok(!texts.join().includes(secret), texts.join())
  return texts
}

/** Sets a value at a place such as `connections[0].ach.windows`. Undefined: the key is removed. */
function setAt(root: unknown, place: string, value: unknown): void {
  const steps = place.match(/[^.[\]]+/g) ?? []
  const last = steps.pop() as string
  const target = steps.reduce((object, step) => (object as Record<string, unknown>)[step], root) as Record<
    string,
    unknown
  >
  if (value === undefined) delete target[last]
  else target[last] = value
}

suite('connections.json', () => {
  test('reads the file with defaults', async (t) => {
    const folder = await connectionsFolder(t)
    const { all, rails, keepBytesDays } = await readConnections(await writeConnections(folder, twoBanks()))
    const [first, second] = all
    assert.deepEqual(first, {
      id: 'first',
      transport: {
        type: 'sftp',
        host: 'sftp.first.example',
        port: 22,
        user: 'acme',
        credential: {
          keyFile: join(folder, 'secrets/first.key'),
          passphraseFile: join(folder, 'secrets/passphrase'),
        },
        hostKeys: [HOST_KEY],
        out: '/inbound',
        in: '/outbound',
        upload: 'rename',
        removesRead: false,
        packetBytes: 32_768,
        bounds: { connectMs: 20_000, answerMs: 30_000, sessionMs: 900_000 },
        pgp: null,
      },
      timeZone: 'America/New_York',
      holidays: ['2026-12-24'],
      expected: { by: '09:00' },
      accounts: [
        {
          id: 'operating',
          routingNumber: '091000019',
          accountNumber: CONNECTION_SECRETS.accountNumber,
          type: 'checking',
          currency: 'USD',
        },
      ],
      ach: {
        destination: '091000019',
        destinationName: 'FIRST EXAMPLE BANK',
        origin: '1123456789',
        originName: 'EXAMPLE PAYMENTS INC',
        companyName: 'EXAMPLE PAYMENTS',
        companyId: '1123456789',
        odfiRoutingNumber: '091000019',
        windows: ['12:00', '17:00'],
        timeZone: 'America/New_York',
        acknowledgements: 'required',
        balancingAccount: 'operating',
        limits: { entriesPerFile: 10_000, centsPerFile: 50_000_000, centsPerDay: 100_000_000 },
      },
      checks: null,
      iso20022: null,
      statements: null,
      virtualAccounts: null,
      processor: null,
    })
    assert.deepEqual(second?.transport, { type: 'folder', path: join(folder, 'second') })
    assert.deepEqual(second?.checks, {
      account: 'checks',
      companyName: 'Example Payments Inc.',
      bankName: 'Second Example Bank',
      fractionalRouting: '1-2/210',
      firstCheckNumber: 1001,
      acknowledgements: 'required',
      layout: layouts['fixed-with-totals'],
    })
    assert.deepEqual([rails, keepBytesDays], [{ ACH: 'first', MAIL: 'second', PRINT: 'second' }, 400])
  })

  test('orders by ISO 20022, with defaults', async (t) => {
    const folder = await connectionsFolder(t)
    const file = twoBanks()
    Object.assign(file.connections[0] as object, { iso20022: orders })
    Object.assign(file.rails, { RTP: 'first', SWIFT: 'first' })
    const { all, rails } = await readConnections(await writeConnections(folder, file))
    assert.deepEqual([rails.RTP, rails.SWIFT], ['first', 'first'])
    const terms = {
      ...{
        serviceLevel: null,
        localInstrument: null,
        categoryPurpose: null,
        chargeBearer: null,
        clearingSystem: 'USABA',
      },
      ...{ hasUetr: false, needsAddress: true, needsRegulatoryText: false, nameLength: 140 },
      ...{ purpose: null, namesSender: false, intermediaryBank: null, centsPerOrder: null, centsPerDay: null },
    }
    assert.deepEqual(all[0]?.iso20022, {
      terms: {
        creditTransfer: 'pain.001.001.09',
        recall: 'camt.055.001.08',
        characters: 'swift',
        initiatingParty: { name: 'Example Payments Inc.', id: null, scheme: null },
        rails: {
          RTP: {
            ...terms,
            ...{ serviceLevel: { code: 'INST' }, localInstrument: { proprietary: 'RTP' }, needsAddress: false },
          },
          SWIFT: terms,
        },
      },
      account: 'operating',
      holder: { name: 'Example Payments Inc.', address: null },
      bic: null,
      cutOffs: { RTP: null, SWIFT: '14:00' },
      schemaFolder: null,
      reportNames: ['*pain.002*', '*pain002*', '*camt.029*', '*camt029*'],
      answerHours: 24,
    })
    Object.assign(file.rails, { WIRE: 'first' })
    assert.deepEqual(await faultsOf(await writeConnections(folder, file)), [
      'rails.WIRE: needs iso20022.rails.WIRE in the connection first',
    ])
  })

  test('every option of a server and of PGP', async (t) => {
    const folder = await connectionsFolder(t)
    const file = twoBanks()
    Object.assign(file, { keep_bytes_days: 30 })
    Object.assign(file.connections[1] as object, { expected: 'every 4 hours' })
    Object.assign(file.connections[0]?.transport as object, {
      key_file: undefined,
      passphrase_file: undefined,
      password_file: 'secrets/password',
      port: 2222,
      upload: 'direct',
      remove_after_reading: true,
      packet_bytes: 16_384,
      timeouts: { connect_seconds: 5, answer_seconds: 6, session_seconds: 70 },
    })
    const { all, keepBytesDays } = await readConnections(await writeConnections(folder, file))
    const transport = all[0]?.transport
    assert.ok(transport?.type === 'sftp')
    assert.deepEqual(transport.credential, { passwordFile: join(folder, 'secrets/password') })
    assert.deepEqual([transport.port, transport.upload, transport.removesRead], [2222, 'direct', true])
    assert.deepEqual(transport.bounds, { connectMs: 5_000, answerMs: 6_000, sessionMs: 70_000 })
    assert.deepEqual([transport.packetBytes, keepBytesDays, all[1]?.expected], [16_384, 30, { everyHours: 4 }])
  })

  test('comments, trailing commas and "$schema" are allowed', async (t) => {
    const folder = await connectionsFolder(t)
    const text = JSON.stringify({ $schema: '../connections.schema.json', ...twoBanks() }, null, 2)
    const commented = text.replace('{', '{ // my banks\n /* two */').replace(/\}$/, ',}')
    assert.equal((await readConnections(await writeConnections(folder, `\uFEFF${commented}`))).all.length, 2)
  })

  test('the example matches the schema', () => {
    const parsed = parseConnections(exampleText('schema.json'))
    assert.ok('lineOf' in parsed)
    assert.deepEqual([...parsed.problems, ...shapeProblems(parsed.value)], [])
  })

  test('the commented settings of the example have their own lines, and match the schema', () => {
    const text = exampleText('schema.json')
    assert.doesNotMatch(text, /\/\/ [^"\n].*":/)
    // The transport is an alternative to the one that follows it.
    const parsed = parseConnections(text.replace(/^( *)\/\/ ("(?!transport).*,)/gm, '$1$2'))
    assert.ok('lineOf' in parsed)
    assert.deepEqual([...parsed.problems, ...shapeProblems(parsed.value)], [])
  })
})

test('the two banks of docs/banks.md lack only their secrets', async (t) => {
  const page = await readFile(new URL('../docs/banks.md', import.meta.url), 'utf8')
  const [, text = ''] = /```jsonc\n(\{\n {2}"connections".*?)```/s.exec(page) ?? []
  const path = await writeConnections(await connectionsFolder(t), text)
  await rm(join(path, '../secrets'), { recursive: true })
  assert.deepEqual(
    (await faultsOf(path)).map((fault) => fault.replace(/ Relative.*/, '')),
    ['first', 'second'].flatMap((_bank, index) => [
      `connections[${index}].transport.key_file: is not there.`,
      `connections[${index}].transport.passphrase_file: is not there.`,
      `connections[${index}].accounts[0].number_file: is not there.`,
    ]),
  )
})

/** Orders by ISO 20022, with the minimum of keys. */
const orders = {
  initiating_party: { name: 'Example Payments Inc.' },
  account: 'operating',
  holder: 'Example Payments Inc.',
  rails: { RTP: { service_level: 'INST', local_instrument: 'own:RTP' }, SWIFT: { cut_off: '14:00' } },
}

const adapter = { key_file: 'secrets/passphrase', event_key_file: 'secrets/passphrase' }
const paypal = { client_id_file: 'secrets/passphrase', client_secret_file: 'secrets/passphrase' }
const https = { type: 'https', url: 'https://adapter.example.com/remit' }

/** Each replaces the parts of a connection to a processor. */
const processorFaults: readonly [parts: object, fault: string][] = [
  [{ transport: { ...https, url: 'ftp://x' } }, '.transport.url: must be an https URL without query and fragment'],
  [
    { transport: { ...https, url: 'http://a.example' } },
    '.transport.url: must be an https URL without query and fragment',
  ],
  [
    { transport: { ...https, url: 'http://localhost.x' } },
    '.transport.url: must be an https URL without query and fragment',
  ],
  [{ transport: { ...https, url: 'https://a:b@x' } }, '.transport.url: must be an https URL without a user name'],
  [{ transport: { ...https, answer_seconds: 0 } }, '.transport.answer_seconds: must be a whole number from 1 to 120'],
  [{ adapter: undefined }, '.transport.type: needs adapter or paypal in this connection'],
  [{ paypal }, '.paypal: must be left out beside adapter'],
  [{ expected: 'every 2 hours' }, '.expected: needs a transport of type folder or sftp'],
  [{ adapter: { ...adapter, key_file: 'secrets/empty' } }, '.adapter.key_file: is an empty file'],
  [{ adapter: { ...adapter, return_days: 0 } }, '.adapter.return_days: must be a whole number from 1 to 400'],
  [
    { adapter: { ...adapter, url: 'x' } },
    '.adapter.url: is not a key here. Use key_file, event_key_file, amount_per_order, amount_per_day, case_after_minutes, return_days',
  ],
]

suite('a connection to a processor', () => {
  const withProcessor = (parts: object = {}) => {
    const file = twoBanks()
    const cards = { id: 'cards', transport: https, zone: 'America/New_York', adapter, ...parts }
    return { ...file, connections: [...file.connections, cards], rails: { ...file.rails, INSTANT: 'cards' } }
  }

  test('has defaults', async (t) => {
    const folder = await connectionsFolder(t)
    const { all, rails } = await readConnections(await writeConnections(folder, withProcessor()))
    const keyFile = join(folder, 'secrets/passphrase')
    assert.deepEqual(all[2]?.transport, { type: 'https', url: 'https://adapter.example.com/remit', answerMs: 20_000 })
    const terms = { centsPerOrder: null, centsPerDay: null, caseAfterMs: 3_600_000, returnDays: 60 }
    assert.deepEqual(all[2]?.processor, { type: 'adapter', keyFile, eventKeyFile: keyFile, ...terms })
    assert.equal(rails.INSTANT, 'cards')
  })

  for (const [parts, fault] of processorFaults) {
    test(`with a fault: ${fault}`, async (t) => {
      const folder = await connectionsFolder(t)
      await writeFile(join(folder, 'secrets/empty'), '', { mode: 0o600 })
      const [first, ...others] = (await faultsOf(await writeConnections(folder, withProcessor(parts)))).filter(
        (one) => !one.startsWith('rails.'),
      )
      assert.deepEqual([first, others], [`connections[2]${fault}`, []])
    })
  }
})

const A = 'connections[0]'
const B = 'connections[1]'
const KEYS_OF_CONNECTION =
  'id, transport, zone, holidays, expected, accounts, ach, checks, iso20022, statements, virtual_accounts, adapter, paypal'
const AN_ID = 'must be at most 30 lower-case letters, digits and hyphens, and begin with a letter'

/**
 * Each row changes one value of a valid file, which causes one fault. `place`: the place of the fault, if it is not
 * that of the value.
 */
const faults: readonly { at: string; value: unknown; place?: string; problem: string }[] = [
  { at: 'connections', value: undefined, problem: 'is missing' },
  { at: 'connections', value: {}, problem: 'must be a list' },
  { at: 'rails', value: undefined, problem: 'is missing' },
  { at: 'rails', value: {}, problem: 'must not be empty' },
  {
    at: 'rails.CASH',
    value: 'first',
    problem: 'is not a key here. Use ACH, MAIL, PRINT, RTP, WIRE, SWIFT, INSTANT, INTERAC, PAYPAL, VENMO',
  },
  { at: 'rails.ACH', value: 'frist', problem: 'is not the id of a connection' },
  { at: 'rails.ACH', value: 'second', problem: 'needs ach in the connection second' },
  { at: 'rails.PRINT', value: 'first', problem: 'needs checks in the connection first' },
  { at: 'rails.PRINT', value: 7, problem: 'must be the id of a connection' },
  { at: 'keep_bytes_days', value: 0, problem: 'must be a whole number from 1 to 3650' },
  { at: 'banks', value: [], problem: 'is not a key here. Use $schema, connections, rails, keep_bytes_days' },
  { at: A, value: 'first', problem: 'must be an object' },
  { at: `${A}.id`, value: 'First Bank', problem: AN_ID },
  { at: `${A}.cards`, value: {}, problem: `is not a key here. Use ${KEYS_OF_CONNECTION}` },
  { at: `${A}.zone`, value: undefined, problem: 'is missing' },
  {
    at: `${A}.zone`,
    value: 'America/Springfield',
    problem: 'must be a time zone of the IANA database such as America/New_York',
  },
  { at: `${A}.zone`, value: '+01:00', problem: 'must be a time zone of the IANA database such as America/New_York' },
  {
    at: `${A}.holidays`,
    value: ['2026-02-30'],
    place: `${A}.holidays[0]`,
    problem: 'must be a date such as 2026-12-24',
  },
  { at: `${A}.holidays`, value: ['2026-12-24', '2026-12-24'], place: `${A}.holidays[1]`, problem: 'is given twice' },
  {
    at: `${A}.expected`,
    value: 'each banking day by 9:00',
    problem: 'must be "each banking day by HH:MM" or "every N hours"',
  },
  { at: `${A}.transport`, value: undefined, problem: 'is missing' },
  { at: `${A}.transport.type`, value: 'ftp', problem: 'must be folder or sftp or https' },
  {
    at: `${A}.transport.host`,
    value: 'acme@bank',
    problem: 'must be a host name or an address, without user and path',
  },
  { at: `${A}.transport.port`, value: '22', problem: 'must be a whole number from 1 to 65535' },
  { at: `${A}.transport.user`, value: undefined, problem: 'is missing' },
  { at: `${A}.transport.key_file`, value: 'secrets/none', problem: 'FOLDER is not there' },
  { at: `${A}.transport.key_file`, value: 'secrets', problem: 'is a folder' },
  { at: `${A}.transport.key_file`, value: 'secrets/empty', problem: 'is an empty file' },
  {
    at: `${A}.transport.key_file`,
    value: 'secrets/open.key',
    problem: 'can be read or changed by other users. Run chmod 600 on it',
  },
  {
    at: `${A}.transport.passphrase_file`,
    value: undefined,
    place: `${A}.transport.key_file`,
    problem: 'UNUSABLE Encrypted private OpenSSH key detected, but no passphrase given',
  },
  {
    at: `${A}.transport.key_file`,
    value: undefined,
    place: `${A}.transport`,
    problem: 'needs key_file or password_file',
  },
  { at: `${A}.transport.password_file`, value: 'secrets/password', problem: 'must be left out beside key_file' },
  { at: `${A}.transport.host_keys`, value: [], problem: 'must not be empty' },
  {
    at: `${A}.transport.host_keys`,
    value: [HOST_KEY, 'SHA256:short'],
    place: `${A}.transport.host_keys[1]`,
    problem: 'must be SHA256:… or a line of known_hosts',
  },
  { at: `${A}.transport.in`, value: '/inbound/', problem: 'must be another folder than out' },
  { at: `${A}.transport.upload`, value: 'overwrite', problem: 'must be rename or direct or vanishes' },
  { at: `${A}.transport.packet_bytes`, value: 1, problem: 'must be a whole number from 1024 to 261120' },
  {
    at: `${A}.transport.timeouts`,
    value: { connect_seconds: 0 },
    place: `${A}.transport.timeouts.connect_seconds`,
    problem: 'must be a whole number from 1 to 300',
  },
  { at: `${A}.transport.pgp`, value: {}, problem: 'must not be empty' },
  {
    at: `${A}.transport.pgp`,
    value: { passphrase_file: 'secrets/passphrase' },
    place: `${A}.transport.pgp.passphrase_file`,
    problem: 'needs sign_with_file or decrypt_with_file',
  },
  {
    at: `${A}.transport.pgp`,
    value: { encrypt_to_files: ['secrets/none'] },
    place: `${A}.transport.pgp.encrypt_to_files[0]`,
    problem: 'FOLDER is not there',
  },
  {
    at: `${A}.transport.pgp`,
    value: { encrypt_to_files: ['secrets/first.key'] },
    problem: 'UNREADABLE Error during parsing. This message / key probably does not conform to a valid OpenPGP format',
  },
  { at: `${B}.transport.path`, value: 'file', problem: 'is not a folder' },
  { at: `${B}.transport.path`, value: '', problem: 'must be the path of a folder' },
  {
    at: `${A}.accounts[0].routing`,
    value: '091000018',
    problem: 'is not a routing number: its check digit does not match',
  },
  { at: `${A}.accounts[0].routing`, value: 91000019, problem: 'must be a routing number of nine digits' },
  {
    at: `${A}.accounts[0].number_file`,
    value: CONNECTION_SECRETS.accountNumber,
    problem: 'must be the path of a file that contains the number',
  },
  {
    at: `${A}.accounts[0].number_file`,
    value: 'secrets/passphrase',
    problem: 'must contain an account number of 4 to 17 digits',
  },
  { at: `${A}.accounts[0].number_file`, value: 'a\nb', problem: 'must be the path of a file' },
  { at: `${A}.accounts[0].type`, value: 'loan', problem: 'must be checking or savings' },
  { at: `${A}.accounts[0].currency`, value: 'EUR', problem: 'must be USD' },
  { at: `${A}.ach.odfi`, value: '091000018', problem: 'is not a routing number: its check digit does not match' },
  { at: `${A}.ach.destination_name`, value: 'Bänk', problem: 'must be at most 23 ASCII characters' },
  { at: `${A}.ach.company_name`, value: 'EXAMPLE PAYMENTS INC', problem: 'must be at most 16 ASCII characters' },
  { at: `${A}.ach.company_name`, value: '  ', problem: 'must be at most 16 ASCII characters' },
  { at: `${A}.ach.origin`, value: '12', problem: 'must be 9 or 10 capital letters and digits' },
  { at: `${A}.ach.windows`, value: [], problem: 'must not be empty' },
  { at: `${A}.ach.windows[0]`, value: '2 pm', problem: 'must be a time from 00:00 to 23:59' },
  { at: `${A}.ach.windows[1]`, value: '12:00', problem: 'must be later than 12:00' },
  { at: `${A}.ach.windows[1]`, value: '09:30', problem: 'must be later than 12:00' },
  { at: `${A}.ach.acknowledgements`, value: 'maybe', problem: 'must be required or none' },
  {
    at: `${A}.ach.balancing_account`,
    value: 'checks',
    problem: 'is not the id of an account of this connection',
  },
  { at: `${A}.ach.limits.amount_per_file`, value: 2_000_000, problem: 'must be at most amount_per_day' },
  { at: `${A}.ach.limits.amount_per_day`, value: 0.5, problem: 'must be a whole number from 1 to 9999999999' },
  { at: `${B}.checks.account`, value: 'operating', problem: 'is not the id of an account of this connection' },
  { at: `${B}.checks.bank_name`, value: '日本', problem: 'must be a name of at most 60 Latin letters' },
  { at: `${B}.checks.company_name`, value: 'x'.repeat(61), problem: 'must be a name of at most 60 Latin letters' },
  {
    at: `${B}.checks.fractional_routing`,
    value: '1-2/211',
    problem: 'must end in 2/210 to match the routing number of the account',
  },
  {
    at: `${B}.checks.fractional_routing`,
    value: '1-2-210',
    problem: 'must be a fractional routing number such as 55-2/212',
  },
  { at: `${B}.checks.first_check_number`, value: 0, problem: 'must be a whole number from 1 to 999999999' },
  { at: `${B}.checks.positive_pay`, value: '', problem: 'must be the name of a layout or the path of a file' },
  {
    at: `${B}.checks.positive_pay`,
    value: 'layouts/none.json',
    problem: 'is neither the name of a layout (csv-with-headings, csv-with-totals, fixed-with-totals) nor a file',
  },
  { at: `${B}.checks.positive_pay`, value: 'secrets', problem: 'is a folder' },
  {
    at: `${B}.statements`,
    value: { rules: [{ account: 'fees' }] },
    place: `${B}.statements.rules[0]`,
    problem: 'must have text, code or sign beside account',
  },
  {
    at: `${B}.statements`,
    value: { rules: [{ sign: 'minus', account: 'fees' }] },
    place: `${B}.statements.rules[0].sign`,
    problem: 'must be credit or debit',
  },
  {
    at: `${A}.iso20022`,
    value: { ...orders, account: 'payroll' },
    place: `${A}.iso20022.account`,
    problem: 'is not the id of an account of this connection',
  },
  {
    at: `${A}.iso20022`,
    value: { ...orders, profile_schemas: 'secrets' },
    place: `${A}.iso20022.profile_schemas`,
    problem: 'is not a folder with XML schemas (.xsd)',
  },
  {
    at: `${A}.iso20022`,
    value: { ...orders, rails: { RTP: { service_level: 'instant' } } },
    place: `${A}.iso20022.rails.RTP.service_level`,
    problem: 'must be a code of up to 4 capital letters and digits, or own: and a text of the bank',
  },
  {
    at: `${A}.iso20022`,
    value: { ...orders, bic: '091000019' },
    place: `${A}.iso20022.bic`,
    problem: 'must be a BIC',
  },
  { at: 'rails.INTERAC', value: 'first', problem: 'needs adapter in the connection first' },
  { at: 'rails.PAYPAL', value: 'first', problem: 'needs paypal or adapter in the connection first' },
  { at: `${A}.adapter`, value: adapter, problem: 'needs a transport of type https' },
  { at: `${A}.paypal`, value: paypal, problem: 'needs a transport of type https' },
  { at: 'rails.WIRE', value: 'first', problem: 'needs iso20022 in the connection first' },
  {
    at: `${B}.statements`,
    value: { csv: { decimal: ',' } },
    place: `${B}.statements.csv.columns`,
    problem: 'is missing',
  },
]

suite('faults', () => {
  for (const { at, value, place = at, problem } of faults) {
    test(`${at} = ${JSON.stringify(value)}`, async (t) => {
      const folder = await connectionsFolder(t)
      await writeFile(join(folder, 'secrets/empty'), '\n', { mode: 0o600 })
      await writeFile(join(folder, 'secrets/open.key'), 'key')
      await chmod(join(folder, 'secrets/open.key'), 0o644)
      await writeFile(join(folder, 'file'), '')
      const file = twoBanks()
      setAt(file, at, value)
      if (problem.startsWith('needs key_file')) setAt(file, `${A}.transport.passphrase_file`, undefined)
      const path = await writeConnections(folder, file)
      const expected = problem
        .replace('FOLDER is not there', `is not there. Relative paths begin in ${folder}`)
        .replace('UNREADABLE', `The PGP key in ${folder}/secrets/first.key cannot be read:`)
        .replace('UNUSABLE', `The key in ${folder}/secrets/first.key cannot be used:`)
      assert.deepEqual(await faultsOf(path), [`${place}: ${expected}`])
      await assert.rejects(readConnections(path), StartProblem)
    })
  }

  test('every fault is reported with its line', async (t) => {
    const folder = await connectionsFolder(t)
    const path = await writeConnections(
      folder,
      `{
  "connections": [
    {
      "id": "first", "zone": "Mars", "zone": "America/New_York",
      "transport": { "type": "folder", "path": "first", "passphrase": "${CONNECTION_SECRETS.passphrase}" },
      "ach": {
        "windows": ["12:00", "11:00"]
      }
    }
  ],
  "rails": { "MAIL": "first" }
}`,
    )
    await assert.rejects(readConnections(path), (error: Error) => {
      assert.equal(
        error.message.replace(/^.*connections.json/, 'connections.json'),
        `connections.json has 10 faults:
  line 4   connections[0].zone: is given twice
  line 5   connections[0].transport.passphrase: is not a key here. Use type, path
${['destination', 'destination_name', 'origin', 'origin_name', 'company_name', 'company_id', 'odfi']
  .map((key) => `  line 6   connections[0].ach.${key}: is missing`)
  .join('\n')}
  line 11  rails.MAIL: needs checks in the connection first`,
      )
      return true
    })
  })

  for (const [text, line, problem] of [
    ['', 1, 'is empty'],
    ['{ "connections": [] "rails": {} }', 1, 'lacks a comma here'],
    ['{\n  connections: []\n}', 2, 'has a word that is not JSON. Texts need double quotes'],
    ['{\n\n  "connections": [', 3, 'lacks a closing ] here'],
    ['{} {}', 1, 'continues after its end'],
    ['{ "a": "\n" }', 1, 'has a text without an end'],
  ] as const) {
    test(`a file that is not JSON: ${JSON.stringify(text)}`, async (t) => {
      const path = await writeConnections(await connectionsFolder(t), text)
      assert.deepEqual((await checkConnections(path)).faults, [{ line, place: 'The file', problem }])
    })
  }

  test('a repeated id', async (t) => {
    const file = twoBanks()
    setAt(file, `${B}.id`, 'first')
    assert.deepEqual(await faultsOf(await writeConnections(await connectionsFolder(t), file)), [
      'connections[1].id: is given twice',
      'rails.MAIL: is not the id of a connection',
      'rails.PRINT: is not the id of a connection',
    ])
  })

  test('a file that is missing or not text', async (t) => {
    const folder = await connectionsFolder(t)
    const path = join(folder, 'connections.json')
    await assert.rejects(readConnections(path), {
      name: 'StartProblem',
      message: `There is no file ${path}. Write one with: remit connections init ${path}`,
    })
    await writeFile(path, Buffer.from([0xff, 0xfe, 0x7b]))
    await assert.rejects(readConnections(path), { name: 'StartProblem', message: `${path} is not UTF-8.` })
  })

  test('two connections cannot share a folder, not even through a link', async (t) => {
    const folder = await connectionsFolder(t)
    await mkdir(join(folder, 'second'))
    await symlink(join(folder, 'second'), join(folder, 'link'))
    const file = twoBanks()
    const third = { id: 'third', transport: { type: 'folder', path: 'link/inside' }, zone: 'UTC' }
    const path = await writeConnections(folder, { ...file, connections: [...file.connections, third] })
    assert.deepEqual(await faultsOf(path), [
      'connections[2].transport.path: is also in the folder of another connection',
    ])
    const [first] = file.connections
    const copy = {
      ...first,
      id: 'copy',
      transport: { ...first?.transport, host: 'SFTP.first.example', out: 'inbound/../other' },
    }
    await writeConnections(folder, { ...file, connections: [...file.connections, copy] })
    assert.deepEqual(await faultsOf(path), ['connections[2].transport.in: is also a folder of another connection'])
    const other = { ...copy, transport: { ...copy.transport, user: 'acme2' } }
    await writeConnections(folder, { ...file, connections: [...file.connections, other] })
    assert.deepEqual(await faultsOf(path), [], 'users of a server have their own folders')
  })

  test('account numbers of wallets: a form, or a list that no error message repeats', async (t) => {
    const folder = await connectionsFolder(t)
    const list = join(folder, 'secrets/virtual.numbers')
    const withNumbers = async (given: object) => {
      const file = twoBanks()
      setAt(file, `${A}.virtual_accounts`, { account: 'operating', ...given })
      return writeConnections(folder, file)
    }
    const place = `${A}.virtual_accounts`
    const form = { prefix: '9988', length: 12, check_digit: 'luhn' }
    const numbersOf = async (path: string) => (await readConnections(path)).all[0]?.virtualAccounts
    assert.deepEqual(await numbersOf(await withNumbers(form)), {
      account: 'operating',
      rails: ['ACH', 'WIRE'],
      numbers: { prefix: '9988', length: 12, checkDigit: 'luhn' },
    })
    for (const [given, ...faults] of [
      [{}, `${place}: needs prefix and length, or numbers_file`],
      [{ prefix: '9988' }, `${place}: needs prefix and length, or numbers_file`],
      [{ ...form, account: 'other' }, `${place}.account: is not the id of an account of this connection`],
      [
        { ...form, length: 9, prefix: '99887' },
        `${place}.length: must leave 4 digits or more between prefix and check digit`,
      ],
      [{ ...form, prefix: '0988' }, `${place}.prefix: must be 1 to 13 digits that do not begin with 0`],
      [{ ...form, length: 8 }, `${place}.length: must be a whole number from 9 to 17`],
    ] as [object, ...string[]][]) {
      assert.deepEqual(await faultsOf(await withNumbers(given)), faults)
    }
    const listed = { numbers_file: 'secrets/virtual.numbers', rails: ['RTP'] }
    const write = async (text: string) => {
      await writeFile(list, text)
      await chmod(list, 0o600)
    }
    const { accountNumber } = CONNECTION_SECRETS
    await write(`\uFEFF${accountNumber}\r\n000012345678901\n`)
    const { numbers } = (await numbersOf(await withNumbers(listed))) ?? {}
    assert.deepEqual(numbers, [accountNumber, '000012345678901'])
    for (const [text, fault] of [
      ['', 'is an empty file'],
      [`${accountNumber}\nABC`, 'must contain a number of 9 to 17 digits in each line, which line 2 is not'],
      ['12345678', 'must contain a number of 9 to 17 digits in each line, which line 1 is not'],
      [`${accountNumber}\n00${accountNumber}`, 'has the number in line 2 twice'],
    ] as const) {
      await write(text)
      assert.deepEqual(await faultsOf(await withNumbers(listed)), [`${place}.numbers_file: ${fault}`])
    }
    await write(accountNumber)
    assert.deepEqual(await faultsOf(await withNumbers({ ...listed, length: 12 })), [
      `${place}.length: must be left out beside numbers_file`,
    ])
    const two = twoBanks()
    setAt(two, place, { account: 'operating', ...form })
    setAt(two, `${B}.virtual_accounts`, { account: 'checks', ...form })
    assert.deepEqual(await faultsOf(await writeConnections(folder, two)), [
      `${B}.virtual_accounts: is also in another connection`,
    ])
  })

  test('a bank that takes files away at once must acknowledge them', async (t) => {
    const folder = await connectionsFolder(t)
    const file = twoBanks()
    setAt(file, `${A}.transport.upload`, 'vanishes')
    setAt(file, `${A}.ach.acknowledgements`, 'none')
    assert.deepEqual(await faultsOf(await writeConnections(folder, file)), [
      'connections[0].ach.acknowledgements: must be required, because of upload: vanishes',
    ])
  })
})

test('a reload replaces all connections, or none', async (t) => {
  const allowed = async () => null
  const folder = await connectionsFolder(t)
  const path = await writeConnections(folder, twoBanks())
  const connections = await openConnections(path)
  const before = connections.current()
  const changed = twoBanks()
  setAt(changed, `${A}.ach.windows`, ['10:00'])
  setAt(changed, `${B}.zone`, 'Mars')
  await writeConnections(folder, changed)
  assert.match(
    (await connections.reload(allowed)) ?? '',
    /has a fault:\n {2}line \d+ {2}connections\[1\]\.zone: must be a time zone/,
  )
  assert.equal(connections.current(), before)
  setAt(changed, `${B}.zone`, 'UTC')
  await writeConnections(folder, changed)
  assert.equal(await connections.reload(allowed), null)
  assert.deepEqual(connections.current().all[0]?.ach?.windows, ['10:00'])
  await writeFile(path, '')
  assert.match((await connections.reload(allowed)) ?? '', /The file: is empty/)
  assert.deepEqual(connections.current().all[0]?.ach?.windows, ['10:00'])
})

test('every key of the schema has a description, and every refusal names the allowed values', () => {
  const visit = (schema: Record<string, unknown>, place: string): void => {
    for (const [key, inner] of Object.entries((schema.properties ?? {}) as Record<string, Record<string, unknown>>)) {
      const isChoice = 'const' in inner
      if (!isChoice) assert.ok(inner.description || inner.properties, `${place}.${key} has no description`)
      visit(inner, `${place}.${key}`)
    }
    if (schema.items) visit(schema.items as Record<string, unknown>, `${place}[]`)
    for (const branch of (schema.allOf ?? []) as { then: Record<string, unknown> }[]) visit(branch.then, place)
    if ('pattern' in schema || 'enum' in schema) assert.ok(schema.errorMessage, `${place} has no errorMessage`)
  }
  visit(connectionsSchema as unknown as Record<string, unknown>, '')
})
