import { readFileSync } from 'node:fs'

const packageJson = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as {
  version: string
}

export const VERSION = packageJson.version

/** Returns the name of this process in `pg_stat_activity`. `remit doctor` reads the version from it. */
export const applicationNameOf = (environment: string): string => `remit ${environment} ${VERSION} ${process.pid}`
