import type { CharacterSet } from '../../../foundation/core/connections.ts'
import { nameCharacter, writeText } from './character-set-rules.ts'
import type { ElementProblem, WrittenElement } from './message-types.ts'
import { type ValueFormat, valueFormats } from './value-format-rules.ts'

/** The format in which a value is written. `text`: converted to the characters that the bank can read. Other formats: unchanged. */
export type Characters = 'text' | ValueFormat

/**
 * One element of a message, in the order of its schema. `path` begins at the parent of the table. It is null if the version does not have
 * the element. Consecutive rows share the elements at the beginning of their paths.
 */
export type ElementRow<Subject> = {
  path: string | null
  value: (subject: Subject) => string | readonly string[] | null
  /** The maximum length after the conversion to the characters that the bank can read. */
  longest: number
  characters: Characters
  /** Whether the message is invalid without the element. */
  required: (subject: Subject) => boolean
  attributes?: (subject: Subject) => Record<string, string>
}

export const always = () => true
export const never = () => false

/** Creates a row from a list of values, so that tables can be read from left to right. */
export const row = <Subject>(
  path: string | null,
  value: ElementRow<Subject>['value'],
  longest: number,
  characters: Characters,
  required: ElementRow<Subject>['required'],
  attributes?: ElementRow<Subject>['attributes'],
): ElementRow<Subject> => ({ path, value, longest, characters, required, ...(attributes && { attributes }) })

/** Fills a table with the values of a subject. A value with a problem is reported and not written. */
export function fillTable<Subject>(
  table: readonly ElementRow<Subject>[],
  subject: Subject,
  set: CharacterSet,
): { elements: WrittenElement[]; problems: ElementProblem[] } {
  const root: WrittenElement = { name: '', attributes: {}, text: null, children: [] }
  const problems: ElementProblem[] = []
  for (const { path, value, longest, characters, required, attributes } of table) {
    const given = value(subject)
    const texts = (typeof given === 'string' ? [given] : (given ?? [])).filter((text) => text.trim() !== '')
    if (path === null) continue
    if (texts.length === 0 && required(subject)) problems.push({ place: path, message: 'is missing' })
    for (const text of texts) {
      const written = writeValue(text, { longest, characters, set })
      if (written.problem === null) place(root, path, { text: written.text, attributes: attributes?.(subject) ?? {} })
      else problems.push({ place: path, message: written.problem })
    }
  }
  return { elements: root.children, problems }
}

type Value = { text: string; problem: null } | { text: null; problem: string }

const refused = (problem: string): Value => ({ text: null, problem })

function writeValue(
  given: string,
  { longest, characters, set }: { longest: number; characters: Characters; set: CharacterSet },
): Value {
  if (characters !== 'text') {
    const { fits, problem } = valueFormats[characters]
    if (!fits(given)) return refused(problem)
    return given.length > longest ? refused(`has more than ${longest} characters`) : { text: given, problem: null }
  }
  const { text, unwritable } = writeText(given, set)
  if (unwritable !== null) {
    const names = unwritable.slice(0, 3).map(nameCharacter).join(', ')
    return refused(`has a character that the bank cannot read: ${names}`)
  }
  if (!/[\p{L}\p{N}]/u.test(text)) return refused('must have a letter or a digit')
  return [...text].length > longest ? refused(`has more than ${longest} characters`) : { text, problem: null }
}

/** Adds an element at a path. Parents that were added last are used again. */
function place(root: WrittenElement, path: string, leaf: { text: string; attributes: Record<string, string> }): void {
  const names = path.split('/')
  const last = names.pop() as string
  let parent = root
  for (const name of names) {
    const open = parent.children.at(-1)
    if (open?.name === name && open.text === null) parent = open
    else {
      const next: WrittenElement = { name, attributes: {}, text: null, children: [] }
      parent.children.push(next)
      parent = next
    }
  }
  parent.children.push({ name: last, attributes: leaf.attributes, text: leaf.text, children: [] })
}

/** Returns an element with child elements. */
export const elementOf = (name: string, children: WrittenElement[]): WrittenElement => ({
  name,
  attributes: {},
  text: null,
  children,
})

/** Formats a document in UTF-8 with one element on each line, so that the line number of a problem identifies the element. */
export function documentText(namespace: string, message: WrittenElement): string {
  const document = { ...elementOf('Document', [message]), attributes: { xmlns: namespace } }
  return `<?xml version="1.0" encoding="UTF-8"?>\n${elementLines(document, '').join('\n')}\n`
}

function elementLines({ name, attributes, text, children }: WrittenElement, indent: string): string[] {
  const pairs = Object.entries(attributes).map(([key, value]) => ` ${key}="${escaped(value)}"`)
  const open = `${indent}<${name}${pairs.join('')}>`
  if (text !== null) return [`${open}${escaped(text)}</${name}>`]
  return [open, ...children.flatMap((child) => elementLines(child, `${indent}  `)), `${indent}</${name}>`]
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

/** Returns the namespace of a message such as pain.001.001.09. */
export const namespaceOf = (message: string): string => `urn:iso:std:iso:20022:tech:xsd:${message}`
