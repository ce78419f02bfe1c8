import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'

const LOCK = '/run/lock/remit-apt'

/**
 * Installs a Debian package if its program is missing.
 *
 * @returns the reason if it cannot be installed. In CI, this is an error.
 */
export function requirePackage(name: string, program: string): string | null {
  if (process.getuid?.() !== 0) return skipped(name, new Error('only root can install and run it'))
  if (existsSync(program)) return null
  const install = 'apt-get update -qq && apt-get install -y -qq --no-install-recommends "$1"'
  try {
    // Test files run at the same time, and apt-get does not allow that.
    execFileSync('flock', [LOCK, 'sh', '-c', `test -x "$2" || { ${install}; }`, 'sh', name, program], {
      stdio: 'ignore',
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    })
    return null
  } catch (error) {
    return skipped(name, error as Error)
  }
}

function skipped(name: string, error: Error): string {
  if (process.env.CI) throw error
  const reason = `skipped without ${name}: ${error.message}`
  console.log(reason)
  return reason
}
