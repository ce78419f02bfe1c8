import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import ssh2 from 'ssh2'
import { temporaryFolder } from './process.ts'
import type { Sshd } from './sshd.ts'

type Lifetime = { after(end: () => Promise<void>): void }

/** Secrets in the files of `connectionsFolder`, which no output may contain. */
export const CONNECTION_SECRETS = {
  accountNumber: '8812345670',
  passphrase: 'passphrase-of-a-test-key',
  password: 'password-of-a-test-bank',
}

export const HOST_KEY = `SHA256:${Buffer.alloc(32, 7).toString('base64').replace('=', '')}`

/** Creates a key. ssh2 writes about one of 250 ed25519 keys in a form that it cannot read. */
function newKey(): ReturnType<typeof ssh2.utils.generateKeyPairSync> {
  const { passphrase } = CONNECTION_SECRETS
  const made = ssh2.utils.generateKeyPairSync('ed25519', { passphrase, cipher: 'aes256-ctr', rounds: 1 })
  return ssh2.utils.parseKey(made.private, passphrase) instanceof Error ? newKey() : made
}

const key = newKey()

/**
 * Creates a folder with secrets that a `connections.json` in it may name. Processes of the test end before it is
 * deleted.
 */
export async function connectionsFolder(t: Lifetime): Promise<string> {
  const folder = await temporaryFolder(t)
  await mkdir(join(folder, 'secrets'))
  const secrets = {
    'first.key': key.private,
    passphrase: `${CONNECTION_SECRETS.passphrase}\n`,
    password: `${CONNECTION_SECRETS.password}\n`,
    'operating.number': `${CONNECTION_SECRETS.accountNumber}\n`,
  }
  for (const [name, content] of Object.entries(secrets)) await writeFile(join(folder, 'secrets', name), content)
  for (const name of Object.keys(secrets)) await chmod(join(folder, 'secrets', name), 0o600)
  return folder
}

/** Two banks: one over SFTP, one whose folder a job of the operator serves. */
export const twoBanks = () => ({
  connections: [
    {
      id: 'first',
      transport: {
        type: 'sftp',
        host: 'sftp.first.example',
        user: 'acme',
        key_file: 'secrets/first.key',
        passphrase_file: 'secrets/passphrase',
        host_keys: [HOST_KEY],
        out: '/inbound',
        in: '/outbound',
      },
      zone: 'America/New_York',
      holidays: ['2026-12-24'],
      expected: 'each banking day by 09:00',
      accounts: [{ id: 'operating', routing: '091000019', number_file: 'secrets/operating.number' }],
      ach: {
        destination: '091000019',
        destination_name: 'FIRST EXAMPLE BANK',
        origin: '1123456789',
        origin_name: 'EXAMPLE PAYMENTS INC',
        company_name: 'EXAMPLE PAYMENTS',
        company_id: '1123456789',
        odfi: '091000019',
        windows: ['12:00', '17:00'],
        balancing_account: 'operating',
        limits: { entries_per_file: 10_000, amount_per_file: 500_000, amount_per_day: 1_000_000 },
      },
    },
    {
      id: 'second',
      transport: { type: 'folder', path: 'second' },
      zone: 'America/Los_Angeles',
      accounts: [{ id: 'checks', routing: '021000021', number_file: 'secrets/operating.number' }],
      checks: {
        account: 'checks',
        company_name: 'Example Payments Inc.',
        bank_name: 'Second Example Bank',
        fractional_routing: '1-2/210',
        positive_pay: 'fixed-with-totals',
      },
    },
  ],
  rails: { ACH: 'first', MAIL: 'second', PRINT: 'second' },
})

/** The transport of a bank of `startSshd`, in the form of `connections.json`. */
export function sshdConnection({ transport }: Pick<Sshd, 'transport'>): object {
  const { host, port, user, credential, hostKeys, out, in: inbound, removesRead } = transport
  if (!('keyFile' in credential)) throw new Error('a bank of startSshd accepts keys')
  return {
    ...{ type: 'sftp', host, port, user, out, in: inbound, host_keys: hostKeys, remove_after_reading: removesRead },
    ...{ key_file: credential.keyFile, passphrase_file: credential.passphraseFile },
  }
}

/** Writes `connections.json`. @returns its path */
export async function writeConnections(folder: string, content: unknown): Promise<string> {
  const path = join(folder, 'connections.json')
  await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content, null, 2))
  return path
}
