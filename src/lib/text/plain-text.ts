/**
 * Characters that change how the text around them is read: control characters with line ends, marks that turn the
 * direction of writing, and invisible ones. Joiners stay: Indic and Persian letters and emoji need them.
 */
const DECEPTIVE =
  /[\p{Cc}\p{Zl}\p{Zp}\u{ad}\u{61c}\u{180e}\u{200b}\u{200e}\u{200f}\u{202a}-\u{202e}\u{2060}-\u{2064}\u{2066}-\u{206f}\u{feff}\u{fff9}-\u{fffb}\u{e0000}-\u{e007f}]+/gu

/** A user's text on one line, with a space for characters that change how the text around it is read. */
export const neutralText = (text: string): string => text.replace(DECEPTIVE, ' ')

/** The same without spaces that nobody sees. */
export const plainText = (text: string): string => neutralText(text).replace(/ {2,}/g, ' ').trim()

/** The same for a text of several lines: its line ends stay. */
export const neutralLines = (text: string): string => text.split('\n').map(neutralText).join('\n')

/** JSON for a terminal: what a user wrote can neither control it nor turn what stands around it. */
export const neutralJson = (value: unknown): string =>
  JSON.stringify(value, null, 2).replace(DECEPTIVE, (found) =>
    found.replace(/[^\n]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
  )

const MAX_QUOTED_LENGTH = 60

/**
 * A user's text as it stands in a mail: short, in quotation marks that it cannot close, and without anything that mail
 * programs make a link of ("www.example.com", "https://…", "a@example.com").
 */
export function quotedText(text: string): string {
  const unlinked = plainText(text.normalize('NFKC'))
    .replace(/["“”„‟«»]/g, "'")
    .replace(/([.。・@:/\\])(?=[^\s])/gu, '$1 ')
    .replace(/(?<=\S)@/g, ' @')
  const characters = Array.from(unlinked)
  const short =
    characters.length > MAX_QUOTED_LENGTH ? `${characters.slice(0, MAX_QUOTED_LENGTH - 1).join('')}…` : unlinked
  return `"${short}"`
}
