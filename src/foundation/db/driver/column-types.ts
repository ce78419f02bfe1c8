import pg from 'pg'
import { parse as parseArray } from 'postgres-array'

type Parse = (text: string) => unknown

const TIMESTAMPTZ = 1184

/** Parses a uuid. Slicing is faster than a search for the hyphens, which matters for rows with several ids. */
const parseUuid = (text: string): string =>
  `${text.slice(0, 8)}${text.slice(9, 13)}${text.slice(14, 18)}${text.slice(19, 23)}${text.slice(24)}`

/** Parses a time. Sessions use UTC. Unusual times such as `infinity` go to the general parser. */
const parseTime = (text: string): Date =>
  text.charAt(10) === ' ' && text.endsWith('+00')
    ? new Date(`${text.slice(0, 10)}T${text.slice(11, -3)}Z`)
    : (pg.types.getTypeParser(TIMESTAMPTZ)(text) as Date)

const ofArray =
  (parseMember: Parse): Parse =>
  (text) =>
    parseArray(text, parseMember)

/** The parsers of column types, by oid. */
const parsers: Record<number, Parse> = {
  20: parseSafeInteger, // int8
  1082: String, // date, as YYYY-MM-DD
  [TIMESTAMPTZ]: parseTime,
  2950: parseUuid,
  1007: ofArray(Number), // int4[]
  1009: ofArray(String), // text[]
  1016: ofArray(parseSafeInteger), // int8[]
  1185: ofArray(parseTime), // timestamptz[]
  2951: ofArray(parseUuid), // uuid[]
}

/**
 * The parsers of column types. They read `uuid` as 32 hex digits, `bigint` as a safe integer, `date` as `YYYY-MM-DD`, `timestamptz` as a
 * `Date`, `json` as its value, `bytea` as a `Buffer`.
 */
export const columnTypes = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    parsers[oid] ?? pg.types.getTypeParser(oid, format as 'text'),
} as pg.CustomTypesConfig

function parseSafeInteger(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError('a bigint of the database is not a safe integer')
  return value
}
