import { readFileSync } from 'node:fs'
import { type CleanedEnv, customCleanEnv, type ValidatorSpec } from 'envalid'

export type Variables = Record<string, string | undefined>

/** The rows of `settings-table.ts`. */
// biome-ignore lint/suspicious/noExplicitAny: each row has a value of its own type
export type SettingsTable = Readonly<Record<string, ValidatorSpec<any>>>

/** The values of a table of settings. Undefined: not set, and without a default. */
export type Values<Table> = Omit<CleanedEnv<Table>, `is${string}`>

/**
 * Reads the settings of a table. An empty variable counts as not set. For each invalid variable, adds a line to `problems` and uses the
 * default.
 *
 * @param nameOf returns the variable of a row
 */
export function readSettings<Table extends SettingsTable>(
  table: Table,
  variables: Variables,
  { nameOf = (key) => key, problems }: { nameOf?: (key: string) => string; problems: string[] },
): Values<Table> {
  const keys = Object.keys(table)
  const given = Object.fromEntries(keys.map((key) => [key, variables[nameOf(key)] || undefined]))
  const defaults = Object.fromEntries(keys.map((key) => [key, table[key]?.default]))
  return customCleanEnv(given, table, (values) => ({ ...defaults, ...values }), {
    reporter: ({ errors }) => {
      for (const [key, error] of Object.entries<Error>(errors as never))
        problems.push(`${nameOf(key)} ${error.message}`)
    },
  }) as Values<Table>
}

const FILE_PROBLEMS: Record<string, string> = {
  ENOENT: 'there is no such file',
  EACCES: 'this user cannot read it',
  EPERM: 'this user cannot read it',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of the path is a file',
}

/** Returns the name of the setting that contains the path of a secret's file. */
export const fileSetting = (name: string): string => `${name}_FILE`

/**
 * Reads secrets from files: `DATABASE_URL_FILE` names the file with the value of `DATABASE_URL`. Adds a line to `problems` for each
 * secret that is set twice or whose file cannot be read.
 *
 * @param names the settings that may be in a file
 * @returns `variables` with these values
 */
export function withSecretFiles(names: readonly string[], variables: Variables, problems: string[]): Variables {
  const values: Variables = { ...variables }
  for (const name of names) {
    const setting = fileSetting(name)
    const path = variables[setting]
    if (!path) continue
    if (variables[name]) problems.push(`${setting} must be unset, because ${name} is set`)
    else values[name] = readSecretFile(setting, path, problems)
  }
  return values
}

/**
 * Reads the file that a setting names. Space around the content is ignored.
 *
 * @returns undefined if it cannot be read, after adding a line to `problems`
 */
export function readSecretFile(setting: string, path: string, problems: string[]): string | undefined {
  try {
    const content = readFileSync(path, 'utf8').trim()
    if (content !== '') return content
    problems.push(`${setting} must name a file with a value: ${path} is empty`)
  } catch (error) {
    const { code = 'unknown error' } = error as NodeJS.ErrnoException
    problems.push(`${setting} must name a readable file: ${path}: ${FILE_PROBLEMS[code] ?? code}`)
  }
  return undefined
}
