import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { generateKey, type PrivateKey, revokeKey } from 'openpgp'
import { pgpOf, pgpProblems } from '../src/connections/transport/pgp-actions.ts'
import type { PgpContract } from '../src/foundation/core/connections.ts'
import { GPG_PASSPHRASE, type Gpg, requireGpg, startGpg } from './support/gpg.ts'
import { transferProblem } from './support/transfer.ts'

const OUR_PASSPHRASE = 'our own passphrase'
const FILE = Buffer.from(`${'5225ACME'.padEnd(94)}\r\n${'6'.repeat(94)}\n\0\u00e9`)

let folder: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'remit-pgp-'))
})
after(() => rm(folder, { recursive: true }))

const contractOf = (given: Partial<PgpContract>): PgpContract => ({
  encryptToFiles: [],
  signWithFile: null,
  decryptWithFile: null,
  passphraseFile: null,
  requireSignatureOfFiles: [],
  isArmored: false,
  ...given,
})

async function write(name: string, content: string | Uint8Array): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, content, { mode: 0o600 })
  return path
}

type KeyFiles = { publicFile: string; privateFile: string; key: PrivateKey; fingerprint: string }

/** Generates a key and writes its files, with the passphrase of the tests. */
async function makeKey(name: string, given: Partial<Parameters<typeof generateKey>[0]> = {}): Promise<KeyFiles> {
  const options = { userIDs: [{ name }], passphrase: OUR_PASSPHRASE, format: 'object' as const, ...given }
  const { privateKey, publicKey } = await generateKey({ ...options, format: 'object' })
  return {
    publicFile: await write(`${name}.pub.asc`, publicKey.armor()),
    privateFile: await write(`${name}.asc`, privateKey.armor()),
    key: privateKey,
    fingerprint: publicKey.getFingerprint().toUpperCase(),
  }
}

const passphraseFile = () => write('passphrase', `${OUR_PASSPHRASE}\n`)

/** Two parties that use the same program. */
async function twoParties() {
  const [us, bank] = [await makeKey('us'), await makeKey('bank')]
  const passphrase = await passphraseFile()
  const [sending, receiving] = [
    contractOf({ encryptToFiles: [bank.publicFile], signWithFile: us.privateFile, passphraseFile: passphrase }),
    contractOf({
      decryptWithFile: bank.privateFile,
      requireSignatureOfFiles: [us.publicFile],
      passphraseFile: passphrase,
    }),
  ]
  return { us, bank, sending, receiving }
}

const missing = requireGpg()

describe('GnuPG', { skip: missing ?? false }, () => {
  let gpg: Gpg
  let us: KeyFiles
  let bankKey: string
  before(async () => {
    gpg = await startGpg()
    us = await makeKey('ours')
    gpg.run(['--quick-generate-key', 'bank@example.com', 'future-default', 'default', 'never'])
    gpg.run(['--import', us.publicFile])
    bankKey = await write('gpg.pub', gpg.run(['--export', 'bank@example.com']))
  })
  after(() => gpg?.stop())

  test('decrypts and verifies our files, binary and armored', async () => {
    for (const isArmored of [false, true]) {
      const { seal } = await pgpOf(
        contractOf({
          encryptToFiles: [bankKey],
          signWithFile: us.privateFile,
          passphraseFile: await passphraseFile(),
          isArmored,
        }),
      )
      const sealed = await seal(FILE)
      assert.equal(sealed.includes('-----BEGIN PGP MESSAGE-----'), isArmored)
      assert.ok(!sealed.includes('ACME'))
      const input = await write('sealed', sealed)
      const output = join(folder, `opened-${isArmored}`)
      const status = gpg.run(['--status-fd', '1', '--output', output, '--decrypt', input]).toString()
      assert.match(status, new RegExp(`VALIDSIG ${us.fingerprint}`))
      assert.match(status, /DECRYPTION_OKAY/)
      assert.deepEqual(gpg.run(['--decrypt', input]), FILE)
    }
  })

  test('encrypts and signs for us, binary and armored', async () => {
    const { open } = await pgpOf(
      contractOf({
        decryptWithFile: us.privateFile,
        passphraseFile: await passphraseFile(),
        requireSignatureOfFiles: [bankKey],
      }),
    )
    for (const format of [[], ['--armor']]) {
      const sealed = gpg.run([...format, '--sign', '--encrypt', '-u', 'bank@example.com', '-r', us.fingerprint], FILE)
      const { bytes, signedBy } = await open(sealed)
      assert.deepEqual(bytes, FILE)
      assert.match(signedBy ?? '', /^[0-9A-F]{40}$/)
    }
    const unsigned = gpg.run(['--encrypt', '-r', us.fingerprint], FILE)
    await assert.rejects(open(unsigned), transferProblem('signature', /The file is not signed/))
  })

  test('signs for us without encryption', async () => {
    const { open } = await pgpOf(contractOf({ requireSignatureOfFiles: [bankKey] }))
    assert.deepEqual((await open(gpg.run(['--sign', '-u', 'bank@example.com'], FILE))).bytes, FILE)
    await assert.rejects(open(FILE), transferProblem('encryption', /cannot be read/))
  })

  test('and its locked key is used with its passphrase', async () => {
    const locked = await write('gpg.key', gpg.run(['--export-secret-keys', 'bank@example.com']))
    const sealed = await (await pgpOf(contractOf({ encryptToFiles: [bankKey] }))).seal(FILE)
    const passphrase = await write('gpg.passphrase', GPG_PASSPHRASE)
    const { open } = await pgpOf(contractOf({ decryptWithFile: locked, passphraseFile: passphrase }))
    assert.deepEqual(await open(sealed), { bytes: FILE, signedBy: null })
  })
})

describe('PGP', () => {
  test('two recipients can read a file during a rotation, and each of two signers is accepted', async () => {
    const { us, bank, sending, receiving } = await twoParties()
    const [next, stranger] = [await makeKey('next'), await makeKey('stranger')]
    const sealed = await (await pgpOf({ ...sending, encryptToFiles: [next.publicFile, bank.publicFile] })).seal(FILE)
    for (const decryptWithFile of [bank.privateFile, next.privateFile]) {
      const signers = [next.publicFile, us.publicFile]
      const { open } = await pgpOf({ ...receiving, decryptWithFile, requireSignatureOfFiles: signers })
      assert.deepEqual(await open(sealed), { bytes: FILE, signedBy: us.fingerprint })
    }
    const { open } = await pgpOf({ ...receiving, decryptWithFile: stranger.privateFile })
    await assert.rejects(open(sealed), transferProblem('encryption', /cannot be read/))
  })

  test('a file that is unsigned, signed with another key or changed is refused', async () => {
    const { sending, receiving } = await twoParties()
    const { open } = await pgpOf(receiving)
    const unsigned = await (await pgpOf({ ...sending, signWithFile: null })).seal(FILE)
    await assert.rejects(open(unsigned), transferProblem('signature', /is not signed\. A signature of [0-9A-F]{40} is/))
    const other = await makeKey('other')
    const forged = await (await pgpOf({ ...sending, signWithFile: other.privateFile })).seal(FILE)
    await assert.rejects(open(forged), transferProblem('signature', /No signature of the file is valid/))
    const changed = await (await pgpOf(sending)).seal(FILE)
    changed[changed.length - 5] = (changed.at(-5) as number) ^ 1
    await assert.rejects(open(changed), transferProblem('encryption', /cannot be read/))
    for (const plain of [FILE, Buffer.alloc(0), Buffer.from('-----BEGIN PGP MESSAGE-----\n\nnothing\n')]) {
      await assert.rejects(open(plain), transferProblem('encryption', /cannot be read/))
    }
    const signedOnly = await (await pgpOf({ ...sending, encryptToFiles: [] })).seal(FILE)
    await assert.rejects(open(signedOnly), transferProblem('encryption', /No encrypted data/))
  })

  test('a file that decompresses to more than the limit is refused', async () => {
    const { receiving, bank } = await twoParties()
    const { createMessage, encrypt, enums } = await import('openpgp')
    const bomb = await encrypt({
      message: await createMessage({ binary: new Uint8Array(20_000_000) }),
      encryptionKeys: bank.key.toPublic(),
      format: 'binary',
      config: { preferredCompressionAlgorithm: enums.compression.zip },
    })
    assert.ok(bomb.length < 100_000)
    const { open } = await pgpOf({ ...receiving, requireSignatureOfFiles: [] }, { maxBytes: 1_000_000 })
    await assert.rejects(open(Buffer.from(bomb)), transferProblem('encryption', /size exceeded/))
  })

  test('without keys, files are sent unchanged', async () => {
    const { seal, open } = await pgpOf(contractOf({}))
    assert.deepEqual([await seal(FILE), await open(FILE)], [FILE, { bytes: FILE, signedBy: null }])
  })

  test('unusable keys are reported', async () => {
    const signOnly = await makeKey('sign-only', { subkeys: [] })
    const expired = await makeKey('expired', { date: new Date('2020-01-01'), keyExpirationTime: 86_400 })
    const good = await makeKey('good')
    const { key } = await makeKey('revoked', { passphrase: '' })
    const { publicKey: revoked } = await revokeKey({ key, format: 'object' })
    const revokedFile = await write('revoked.pub.asc', revoked.armor())
    const problems = await pgpProblems(
      contractOf({
        encryptToFiles: [signOnly.publicFile, expired.publicFile, revokedFile, good.publicFile],
        signWithFile: expired.privateFile,
        decryptWithFile: signOnly.privateFile,
        passphraseFile: await passphraseFile(),
        requireSignatureOfFiles: [revokedFile, good.publicFile],
      }),
    )
    const revokedPrint = revoked.getFingerprint().toUpperCase()
    assert.deepEqual(
      problems.map((text) => text.replace(/(cannot [\w ]+: [\w ]*?)( key packet.*)?\.$/, '$1')),
      [
        `The PGP key ${signOnly.fingerprint} cannot encrypt: Could not find valid encryption`,
        `The PGP key ${expired.fingerprint} cannot encrypt: Primary key is expired`,
        `The PGP key ${revokedPrint} cannot encrypt: Primary key is revoked`,
        `The PGP key ${revokedPrint} cannot check signatures: Primary key is revoked`,
        `The PGP key ${signOnly.fingerprint} cannot decrypt: No decryption`,
        `The PGP key ${expired.fingerprint} cannot sign: Primary key is expired`,
      ],
    )
    const { seal } = await pgpOf(contractOf({ encryptToFiles: [expired.publicFile] }))
    await assert.rejects(seal(FILE), transferProblem('encryption', /was not encrypted: .*expired/))
  })

  test('unreadable files are reported, and secrets are not shown', async () => {
    const { us, sending } = await twoParties()
    const garbage = await write('garbage.asc', 'not a key')
    const wrong = await write('wrong.passphrase', 'a wrong passphrase')
    const expectations: [Partial<PgpContract>, RegExp][] = [
      [{ encryptToFiles: [join(folder, 'nowhere.asc')] }, /nowhere\.asc cannot be read: it does not exist/],
      [{ encryptToFiles: [garbage] }, /garbage\.asc cannot be read/],
      [{ signWithFile: us.publicFile }, /us\.pub\.asc cannot be read: Armored text not of type private key/],
      [{ passphraseFile: null }, /us\.asc needs a passphrase file/],
      [{ passphraseFile: wrong }, /The passphrase does not open the PGP key in .*us\.asc/],
    ]
    for (const [given, message] of expectations) {
      const contract = { ...sending, ...given }
      await assert.rejects(pgpOf(contract), transferProblem('settings', message))
      const problems = await pgpProblems(contract)
      assert.match(problems.join(), message)
      assert.doesNotMatch(problems.join(), /a wrong passphrase|PRIVATE KEY|our own passphrase/)
    }
  })

  test('a missing package is reported only if PGP is configured', async () => {
    const { sending } = await twoParties()
    const hook = `export function resolve(name, context, next) {
      if (name === 'openpgp') throw Object.assign(new Error('missing'), { code: 'ERR_MODULE_NOT_FOUND' })
      return next(name, context)
    }`
    const register = `import { register } from 'node:module'; register(${JSON.stringify(dataUrl(hook))})`
    const pgp = new URL('../src/connections/transport/pgp-actions.ts', import.meta.url)
    const program = `
      const { pgpOf } = await import(${JSON.stringify(pgp)})
      await pgpOf(${JSON.stringify(sending)}).catch(({ kind, message }) => console.log(kind, message))`
    const { stdout } = await promisify(execFile)(process.execPath, [
      ...process.execArgv.filter((flag) => flag.startsWith('--experimental')),
      '--import',
      dataUrl(register),
      '--input-type=module',
      '--eval',
      program,
    ])
    assert.equal(stdout.trim(), 'settings PGP needs the npm package openpgp. Run "npm install openpgp@6".')
  })
})

const dataUrl = (program: string): string => `data:text/javascript,${encodeURIComponent(program)}`
