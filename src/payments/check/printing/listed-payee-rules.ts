import type { CheckLayout, ListColumn, ListLayout, ListStyle } from '../../../foundation/core/check-layout.ts'
import { neutralText } from '../../../foundation/lib/text/plain-text.ts'
import { isPrintableAscii, transliterate } from '../../../foundation/lib/text/transliteration.ts'

/** A payee whose name in a list differs from the name on the check. */
export type ListedPayee = { number: number; payee: string; listed: string }

type PayeeInList = { row: { payee: string; payee_rest: string }; text: string; isChanged: boolean }

/** Returns a function that writes a payee as a list does: in the characters of the bank, and cut to the width of the columns. */
export function payeesInList(style: ListStyle, { lines }: ListLayout): (payee: string) => PayeeInList {
  const first = lines.find(({ field }) => field === 'payee')
  const second = lines.find(({ field }) => field === 'payee_rest')
  return (payee) => {
    if (!first) return { row: { payee: '', payee_rest: '' }, text: '', isChanged: false }
    const whole = bankText(style, first, payee)
    const [part, rest] = cut(whole, first)
    const [more] = second ? cut(rest, second) : ['']
    const text = more === '' ? part : `${part} ${more}`
    const isChanged = text.replaceAll(' ', '').toUpperCase() !== payee.replaceAll(' ', '').toUpperCase()
    return { row: { payee: part, payee_rest: more }, text, isChanged }
  }
}

/** Returns the payee as the bank's list of issued checks shows it. Returns null if only its case differs from the check. */
export function listedPayee({ style, issueFile }: CheckLayout, payee: string): string | null {
  const { text, isChanged } = payeesInList(style, issueFile)(payee)
  return isChanged ? text : null
}

/** Writes a text in the characters that the bank can read. */
function bankText(
  { form, characters, unknown, separator, quotes }: ListStyle,
  column: ListColumn,
  given: string,
): string {
  const cased = column.isUpperCase ? given.toUpperCase() : given
  const known =
    characters === 'utf-8' ? neutralText(cased) : transliterate(cased, { isKept: isKept[characters], unknown })
  const isAllowed = (character: string): boolean =>
    (characters !== 'letters-digits' || /[A-Za-z0-9 ]/.test(character)) &&
    (form !== 'csv' || quotes !== 'never' || (character !== separator && character !== '"'))
  const text = [...known].map((character) => (isAllowed(character) ? character : unknown)).join('')
  return text === given ? text : text.replace(/ {2,}/g, ' ').trim()
}

const isKept = {
  'latin-1': (character: string) => isPrintableAscii(character) || /^[\u00a1-\u00ac\u00ae-\u00ff]$/.test(character),
  ascii: isPrintableAscii,
  'letters-digits': isPrintableAscii,
}

/** Splits a text. @returns the part that fits the column, and the rest */
function cut(text: string, { width, cutsAtWord }: ListColumn): [part: string, rest: string] {
  const characters = [...text]
  if (width === null || characters.length <= width) return [text, '']
  const most = characters.slice(0, width).join('')
  const isWholeWord = characters[width] === ' '
  const space = most.lastIndexOf(' ')
  const part = cutsAtWord && !isWholeWord && space > 0 ? most.slice(0, space) : most
  return [part.trimEnd(), text.slice(part.length).trimStart()]
}
