/**
 * Characters that change how the surrounding text is displayed: control characters, line ends, direction marks and invisible characters.
 * Joiners are allowed, because Indic and Persian letters and emoji need them.
 */
const DECEPTIVE =
  /[\p{Cc}\p{Zl}\p{Zp}\u{ad}\u{61c}\u{180e}\u{200b}\u{200e}\u{200f}\u{202a}-\u{202e}\u{2060}-\u{2064}\u{2066}-\u{206f}\u{feff}\u{fff9}-\u{fffb}\u{e0000}-\u{e007f}]+/gu

/** Returns a text on one line. Replaces characters that change the display of the surrounding text with spaces. */
export const neutralText = (text: string): string => text.replace(DECEPTIVE, ' ')

/** Returns a text on one line, with neutral characters (`neutralText`), single spaces, and no spaces at its ends. */
export const plainText = (text: string): string => neutralText(text).replace(/ {2,}/g, ' ').trim()

/** Replaces characters that change the display of the surrounding text with spaces. Line feeds stay. */
export const neutralLines = (text: string): string => text.split('\n').map(neutralText).join('\n')

/** Formats JSON for a terminal. User text in it can neither control the terminal nor change the display of the surrounding text. */
export const neutralJson = (value: unknown, { indent = 2 }: { indent?: number } = {}): string =>
  JSON.stringify(value, null, indent).replace(DECEPTIVE, (found) =>
    found.replace(/[^\n]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
  )

const MAX_QUOTED_LENGTH = 60

/** Quotes a user's text for a mail (`unlinkedText`). The text cannot close the quotation marks. */
export const quotedText = (text: string, maxLength?: number): string => `"${unlinkedText(text, maxLength)}"`

/**
 * Returns a user's text for a mail: shortened, without double quotation marks, and without anything that mail programs turn into a link
 * ("www.example.com", "https://…", "a@example.com").
 */
export function unlinkedText(text: string, maxLength = MAX_QUOTED_LENGTH): string {
  const unlinked = plainText(text.normalize('NFKC'))
    .replace(/["“”„‟«»]/g, "'")
    .replace(/([.。・@:/\\])(?=[^\s])/gu, '$1 ')
    .replace(/(?<=\S)@/g, ' @')
  const characters = Array.from(unlinked)
  return characters.length > maxLength ? `${characters.slice(0, maxLength - 1).join('')}…` : unlinked
}
