import type { Connection, Connections } from '../../foundation/core/connections.ts'
import { connectionOfRail } from '../../foundation/core/operator-account.ts'
import { type BankCalendar, FEDERAL, nextAchWindow } from '../../foundation/lib/banking-day.ts'

/** Returns the cut-offs and banking days of a bank. For null, or a connection without ACH, returns the cut-offs of simulated rails. */
export const calendarOf = (connection: Connection | null): BankCalendar => ({
  windows: connection?.ach?.windows ?? FEDERAL.windows,
  timeZone: connection?.timeZone ?? FEDERAL.timeZone,
  holidays: connection?.holidays ?? FEDERAL.holidays,
})

/** Returns the calendar of the bank that carries a rail. */
export const calendarOfRail = (connections: Connections, rail: string): BankCalendar =>
  calendarOf(connectionOfRail(connections, rail))

/** Returns the next time at which ACH files are written, or null if the connection carries no ACH files. */
export const nextCutOff = (connection: Connection, now: Date): Date | null =>
  connection.ach && nextAchWindow(now, calendarOf(connection))
