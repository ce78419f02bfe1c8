/** English, with the reader's order of day and month. Some systems report a locale such as `en-US@posix`. */
const language = navigator.languages.find((tag) => /^en(-[a-z0-9]{2,8})*$/i.test(tag)) ?? 'en-US'
const momentFormat = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' })
const exactFormat = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'medium' })
const shortFormat = new Intl.DateTimeFormat(language, {
  month: 'short',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
})
const dayFormat = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: 'UTC' })

/** A time from the service (`YYYY-MM-DD HH:MM:SS` in UTC), in milliseconds. */
export const msOf = (utc: string): number => Date.parse(`${utc.replace(' ', 'T')}Z`)

/** A time from the service as a text. */
export const momentText = (utc: string): string => momentFormat.format(msOf(utc))

/** A time from the service (`YYYY-MM-DD HH:MM:SS` in UTC), shown in the reader's time zone. `exact` adds seconds. */
export function Moment({ utc, isExact = false }: { utc: string; isExact?: boolean }) {
  const iso = `${utc.replace(' ', 'T')}Z`
  return <time dateTime={iso}>{(isExact ? exactFormat : momentFormat).format(new Date(iso))}</time>
}

export const dayText = (date: string): string => dayFormat.format(new Date(`${date}T00:00:00Z`))

/** A calendar day (`YYYY-MM-DD`) is the same day everywhere. */
export function Day({ date }: { date: string }) {
  return <time dateTime={date}>{dayText(date)}</time>
}

/** The same for a narrow place: without the year if it is this one. */
export function ShortMoment({ utc }: { utc: string }) {
  const iso = `${utc.replace(' ', 'T')}Z`
  const time = new Date(iso)
  const format = time.getFullYear() === new Date().getFullYear() ? shortFormat : momentFormat
  return <time dateTime={iso}>{format.format(time)}</time>
}
