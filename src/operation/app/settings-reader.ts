import { type CleanedEnv, customCleanEnv, type ValidatorSpec } from 'envalid'

export type Variables = Record<string, string | undefined>

/** Rows of `settings-table.ts`. */
// biome-ignore lint/suspicious/noExplicitAny: each row has a value of its own type
export type SettingsTable = Readonly<Record<string, ValidatorSpec<any>>>

/** The values of a table. Undefined: not set, and there is no default. */
export type Values<Table> = Omit<CleanedEnv<Table>, `is${string}`>

/**
 * Reads the settings of a table. An empty variable counts as unset. Adds a line to `problems` for each invalid one, which
 * then has its default.
 *
 * @param nameOf the variable of a row
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
