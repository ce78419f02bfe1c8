import { execFileSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { requirePackage } from './debian-package.ts'

/** Installs Debian's GnuPG if it is missing. @returns the reason why the tests with it are skipped, or null */
export const requireGpg = (): string | null => requirePackage('gnupg', '/usr/bin/gpg')

export const GPG_PASSPHRASE = 'the passphrase of a bank'

export type Gpg = {
  /** Runs gpg with its own keys. @returns its output. Throws if it fails */
  run(args: readonly string[], input?: Buffer): Buffer
  stop(): Promise<void>
}

/** GnuPG with its own folder, as a bank uses it. */
export async function startGpg(): Promise<Gpg> {
  const home = await mkdtemp(join(tmpdir(), 'remit-gpg-'))
  const env = { ...process.env, GNUPGHOME: home }
  const common = ['--batch', '--quiet', '--no-tty', '--trust-model', 'always', '--pinentry-mode', 'loopback']
  return {
    run: (args, input) =>
      execFileSync('gpg', [...common, '--passphrase', GPG_PASSPHRASE, ...args], {
        env,
        input: input ?? '',
        stdio: ['pipe', 'pipe', 'pipe'],
      }),
    stop: async () => {
      execFileSync('gpgconf', ['--kill', 'all'], { env })
      await rm(home, { recursive: true, force: true })
    },
  }
}
