import { StartProblem } from '../../lib/start-problem.ts'
import { connect } from '../connect.ts'
import { classifyDatabaseError } from '../trouble.ts'

/**
 * Creates the database of a URL if it is missing. Another process may create it at the same time.
 *
 * @throws StartProblem if the server is unreachable or refuses the login, or if the role may not create databases
 */
export async function createDatabaseIfMissing(url: string): Promise<void> {
  if (await doesDatabaseExist(url)) return
  const name = databaseOfUrl(url)
  const admin = connect(withDatabase(url, 'postgres'), { max: 1, applicationName: 'remit create database' })
  try {
    await admin`create database ${admin(name)}`
  } catch (error) {
    if (!isCreatedMeanwhile(error)) throw startProblemOf(error, `create the database "${name}"`)
  } finally {
    await admin.end({ timeout: 5 })
  }
}

/** Drops the database of a URL, and ends its sessions. */
export async function dropDatabase(url: string): Promise<void> {
  const admin = connect(withDatabase(url, 'postgres'), { max: 1, applicationName: 'remit drop database' })
  try {
    await admin`drop database if exists ${admin(databaseOfUrl(url))} with (force)`
  } finally {
    await admin.end({ timeout: 5 })
  }
}

export const databaseOfUrl = (url: string): string => decodeURIComponent(new URL(url).pathname.slice(1))

export const roleOfUrl = (url: string): string => decodeURIComponent(new URL(url).username)

export function withDatabase(url: string, name: string): string {
  const result = new URL(url)
  result.pathname = `/${encodeURIComponent(name)}`
  return result.href
}

/** Returns whether the database of a URL exists. @throws StartProblem if the server is unreachable or refuses the login */
export async function doesDatabaseExist(url: string): Promise<boolean> {
  const sql = connect(url, { max: 1, applicationName: 'remit' })
  try {
    await sql`select 1`
    return true
  } catch (error) {
    if ((error as { code?: string }).code === '3D000') return false // no such database
    throw startProblemOf(error, `connect to the database "${databaseOfUrl(url)}"`)
  } finally {
    await sql.end({ timeout: 5 })
  }
}

// Whether the database exists already (42P04), or another process created it at the same time (23505).
const isCreatedMeanwhile = (error: unknown) => ['42P04', '23505'].includes((error as { code?: string }).code ?? '')

function startProblemOf(error: unknown, what: string): unknown {
  const { code, message } = error as { code?: string; message: string }
  const isKnown = classifyDatabaseError(error) !== 'other' || ['28P01', '28000', '42501', '25006'].includes(code ?? '')
  return isKnown ? new StartProblem(`PostgreSQL: cannot ${what}: ${message || code}`) : error
}
