/** The pages are in English; the order of day and month is the reader's. */
const language = navigator.languages.find((tag) => tag.startsWith('en')) ?? 'en-US'
const momentFormat = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' })
const dayFormat = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: 'UTC' })

/** A moment that the service gave as `YYYY-MM-DD HH:MM:SS` in UTC, in the reader's own time zone. */
export function Moment({ utc }: { utc: string }) {
  const iso = `${utc.replace(' ', 'T')}Z`
  return <time dateTime={iso}>{momentFormat.format(new Date(iso))}</time>
}

/** A calendar day (`YYYY-MM-DD`) is the same day everywhere. */
export function Day({ date }: { date: string }) {
  return <time dateTime={date}>{dayFormat.format(new Date(`${date}T00:00:00Z`))}</time>
}
