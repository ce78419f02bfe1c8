import { useServiceContext } from '../service-context.ts'

/** English, with the reader's order of day and month. Some systems report a locale such as `en-US@posix`. */
const language = navigator.languages.find((tag) => /^en(-[a-z0-9]{2,8})*$/i.test(tag)) ?? 'en-US'

const formats = {
  usual: { dateStyle: 'medium', timeStyle: 'short' },
  exact: { dateStyle: 'medium', timeStyle: 'medium' },
  /** The format without the year, for a narrow place. */
  short: { month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' },
  year: { year: 'numeric' },
  time: { timeStyle: 'short' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>

const made = new Map<string, Intl.DateTimeFormat>()

function formatOf(name: keyof typeof formats, timeZone: string): Intl.DateTimeFormat {
  const key = `${name} ${timeZone}`
  let format = made.get(key)
  if (!format) {
    format = new Intl.DateTimeFormat(language, { ...formats[name], timeZone })
    made.set(key, format)
  }
  return format
}

const dayFormat = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: 'UTC' })

/** Converts a time from the service (`YYYY-MM-DD HH:MM:SS` in UTC) to milliseconds. */
export const parseUtc = (utc: string): number => Date.parse(isoOf(utc))

const isoOf = (utc: string): string => `${utc.replace(' ', 'T')}Z`

/** Formats a time from the service in the time zone of the business. */
export function useMomentText(): (utc: string) => string {
  const { time_zone } = useServiceContext()
  return (utc) => formatOf('usual', time_zone).format(parseUtc(utc))
}

/** Formats the time of day of a time from the service, such as `9:00 AM`, in the time zone of the business. */
export function useTimeText(): (utc: string) => string {
  const { time_zone } = useServiceContext()
  return (utc) => formatOf('time', time_zone).format(parseUtc(utc))
}

/** A time from the service, shown in the time zone of the business. `isExact` adds seconds. */
export function Moment({ utc, isExact = false }: { utc: string; isExact?: boolean }) {
  const { time_zone } = useServiceContext()
  return <time dateTime={isoOf(utc)}>{formatOf(isExact ? 'exact' : 'usual', time_zone).format(parseUtc(utc))}</time>
}

/** A time from the service for a narrow place: the current year is omitted. */
export function ShortMoment({ utc }: { utc: string }) {
  const { time_zone } = useServiceContext()
  const yearOf = (ms: number) => formatOf('year', time_zone).format(ms)
  const format = formatOf(yearOf(parseUtc(utc)) === yearOf(Date.now()) ? 'short' : 'usual', time_zone)
  return <time dateTime={isoOf(utc)}>{format.format(parseUtc(utc))}</time>
}

export const dayText = (date: string): string => dayFormat.format(new Date(`${date}T00:00:00Z`))

/** Shows a calendar day (`YYYY-MM-DD`) without converting it to a time zone. */
export function Day({ date }: { date: string }) {
  return <time dateTime={date}>{dayText(date)}</time>
}
