import pg from 'pg'
import { parse as parseArray } from 'postgres-array'

type Parse = (text: string) => unknown

const parseUuid = (text: string): string => text.replaceAll('-', '')

const parseTime = (text: string): Date => pg.types.getTypeParser(TIMESTAMPTZ)(text) as Date

const TIMESTAMPTZ = 1184

const ofArray =
  (parseMember: Parse): Parse =>
  (text) =>
    parseArray(text, parseMember)

/** The parsers of column types, by oid. */
const parsers: Record<number, Parse> = {
  20: parseSafeInteger, // int8
  1082: String, // date, as YYYY-MM-DD
  2950: parseUuid,
  1007: ofArray(Number), // int4[]
  1009: ofArray(String), // text[]
  1016: ofArray(parseSafeInteger), // int8[]
  1185: ofArray(parseTime), // timestamptz[]
  2951: ofArray(parseUuid), // uuid[]
}

/**
 * `uuid` is read as 32 hex digits, `bigint` as a safe integer, `date` as `YYYY-MM-DD`, `timestamptz` as a `Date`, `json` as
 * its value, `bytea` as a `Buffer`.
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
