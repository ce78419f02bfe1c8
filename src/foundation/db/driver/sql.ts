import { join, raw, Sql as Template } from 'sql-template-tag'
import { arrayText } from './array-types.ts'

/** A part of a statement with its parameters. */
export type Fragment = Template

/** A parameter of a statement. JSON needs `sql.json`, because arrays are sent as PostgreSQL arrays. */
export type Parameter = string | number | bigint | boolean | Date | Buffer | null | readonly ArrayMember[]
type ArrayMember = string | number | bigint | boolean | Date | null

/** The rows of a statement. `count`: the number of rows that it returned or changed. `command`: the command that PostgreSQL reports. */
export type Rows<Result extends readonly unknown[] = unknown[]> = Result & { count: number; command: string }

// biome-ignore lint/suspicious/noExplicitAny: columns of a statement without a row type, and the reason of a rejection, as in Promise.
type Any = any

/**
 * Builds SQL statements. A statement runs when it is awaited: on any connection of a pool, or on the connection of a transaction. A
 * statement that is not awaited can be embedded in another one.
 */
export type Sql = {
  <Result extends readonly object[] = Any[]>(
    strings: TemplateStringsArray,
    ...values: readonly (Parameter | Fragment | undefined)[]
  ): Statement<Result>
  /** Quotes names of columns or tables, separated by commas. Converts camelCase to snake_case. */
  (names: string | readonly string[]): Fragment
  /** Formats `name = value` for each property, separated by commas. */
  set(columns: Record<string, Parameter | Fragment | undefined>): Fragment
  /** Formats `(names) values (values)` for an insert. A column is named by its property. */
  values(columns: Record<string, Parameter | Fragment | undefined>): Fragment
  json(value: unknown): Fragment
  /** Returns a statement with unchanged SQL text. Without parameters, the text may contain several statements. */
  unsafe<Result extends readonly object[] = Any[]>(text: string, values?: readonly Parameter[]): Statement<Result>
}

/** Runs a statement. The server plans a named statement once per connection. */
export type Execute = (statement: {
  text: string
  values: unknown[]
  isNamed: boolean
  /** Whether the statement has no time limit. */
  canTakeLong?: boolean
}) => Promise<Rows>

/** A statement. It runs once, even if it is awaited several times. */
export class Statement<Result extends readonly unknown[]> extends Template implements Promise<Rows<Result>> {
  readonly [Symbol.toStringTag] = 'Statement'
  private readonly execute: Execute
  private readonly isNamed: boolean
  private running: Promise<Rows<Result>> | null = null

  constructor(parts: { strings: readonly string[]; values: readonly unknown[]; isNamed: boolean; execute: Execute }) {
    super(parts.strings, parts.values)
    this.execute = parts.execute
    this.isNamed = parts.isNamed
  }

  private run(): Promise<Rows<Result>> {
    const { text, values, isNamed } = this
    this.running ??= this.execute({ text, values, isNamed }) as Promise<unknown> as Promise<Rows<Result>>
    return this.running
  }

  // biome-ignore lint/suspicious/noThenProperty: a statement runs when it is awaited.
  then<Done = Rows<Result>, Failed = never>(
    onDone?: ((rows: Rows<Result>) => Done | PromiseLike<Done>) | null,
    onFailed?: ((error: Any) => Failed | PromiseLike<Failed>) | null,
  ): Promise<Done | Failed> {
    return this.run().then(onDone, onFailed)
  }

  /** Returns the first row, or null if there is none. */
  async first(): Promise<Result[number] | null> {
    return (await this)[0] ?? null
  }

  /** Returns whether the statement returns or changes a row. */
  async anyRow(): Promise<boolean> {
    return (await this).count > 0
  }

  catch<Failed = never>(
    onFailed?: ((error: Any) => Failed | PromiseLike<Failed>) | null,
  ): Promise<Rows<Result> | Failed> {
    return this.run().catch(onFailed)
  }

  finally(onEnd?: (() => void) | null): Promise<Rows<Result>> {
    return this.run().finally(onEnd)
  }
}

/** Creates a tag whose statements are run by `execute`. */
export function createSql(execute: Execute): Sql {
  const tag = (first: TemplateStringsArray | string | readonly string[], ...values: readonly unknown[]) =>
    isTemplate(first)
      ? new Statement({ strings: first, values: values.map(parameter), isNamed: true, execute })
      : names(typeof first === 'string' ? [first] : first)
  return Object.assign(tag, {
    set: (columns: Record<string, unknown>) =>
      join(
        Object.entries(columns).map(
          ([name, value]) => new Template(['', ' = ', ''], [names([name]), parameter(value)]),
        ),
        ', ',
      ),
    values: (columns: Record<string, unknown>) =>
      new Template(
        ['(', ') values (', ')'],
        [names(Object.keys(columns)), join(Object.values(columns).map(parameter))],
      ),
    json,
    unsafe: (text: string, values: readonly unknown[] = []) =>
      new UnsafeStatement(text, { values: values.map(textOf), execute }),
  }) as unknown as Sql
}

/** A statement whose text already contains placeholders. */
class UnsafeStatement extends Statement<unknown[]> {
  constructor(text: string, { values, execute }: { values: readonly unknown[]; execute: Execute }) {
    super({
      strings: [text],
      values: [],
      isNamed: false,
      execute: ({ isNamed }) => execute({ text, values: [...values], isNamed }),
    })
  }
}

const isTemplate = (value: unknown): value is TemplateStringsArray => Array.isArray(value) && 'raw' in value

const names = (all: readonly string[]): Fragment =>
  raw(all.map((name) => `"${snakeCase(name).replaceAll('"', '""')}"`).join(', '))

const snakeCase = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

const json = (value: unknown): Fragment => cast(value === null ? null : JSON.stringify(value), 'json')

const cast = (value: unknown, type: string): Fragment => new Template(['', `::${type}`], [value])

/**
 * Returns a value of a template. Adds a cast if PostgreSQL would infer the wrong type. For example, it would read a text next to an
 * interval as an interval.
 */
function parameter(value: unknown): unknown {
  if (value instanceof Template) return value
  if (value instanceof Date) return cast(value.toISOString(), 'timestamptz')
  if (typeof value === 'boolean') return cast(String(value), 'boolean')
  if (value instanceof Uint8Array) return cast(value, 'bytea')
  return textOf(value)
}

/** Returns the text of a parameter. @throws TypeError for undefined and objects */
function textOf(value: unknown): unknown {
  if (value === null || typeof value === 'string' || value instanceof Uint8Array) return value
  if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean') return String(value)
  if (value instanceof Date) return value.toISOString()
  if (Array.isArray(value)) return arrayText(value)
  throw new TypeError(
    `A parameter of the statement is ${value === undefined ? 'undefined. Use null.' : 'an object. Use sql.json.'}`,
  )
}
