/**
 * A violation of a schema. `place`: the path of the element. `legId`: the leg of the order that contains it, or null. `message` completes
 * the sentence "The element … " and contains no value of the message.
 */
export type SchemaFault = { schema: string; place: string; line: number; legId: string | null; message: string }

/** The error texts of libxml2 without values, or the parts of them without values. Names of elements and types are public. */
const SENTENCES: readonly (readonly [pattern: RegExp, message: string])[] = [
  [/exceeds the allowed maximum length of '(\d+)'/, 'has more than $1 characters'],
  [/underruns the allowed minimum length of '(\d+)'/, 'has fewer than $1 characters'],
  [/Missing child element\(s\)\. Expected is (?:one of )?\( (.+) \)/, 'needs $1'],
  [/This element is not expected\. Expected is (?:one of )?\( (.+) \)/, 'is not allowed here. The schema expects $1'],
  [/This element is not expected/, 'is not allowed here'],
  [/is not accepted by the pattern '(.+)'/, 'does not have the form $1'],
  [/is not an element of the set/, 'is none of the codes that the schema lists'],
  [/The attribute '(\w+)' is required but missing/, 'needs the attribute $1'],
  [/The attribute '(\w+)' is not allowed/, 'must not have the attribute $1'],
  [/has more (?:fractional )?digits than are allowed/, 'has too many digits'],
  [/than the (?:minimum|maximum) value allowed/, 'is outside of the allowed range'],
  [/is not a valid value of the (?:atomic|local atomic|union|list) type '(\w+)'/, 'is no $1'],
  [/No matching global declaration/, 'is not the message of the schema'],
]

/** Returns the schema's message about an element without the value of the element. */
export function faultMessage(given: string): string {
  const text = given.replaceAll(/\{[^{}]*:[^{}]*\}/g, '').trim()
  for (const [pattern, message] of SENTENCES) {
    const found = pattern.exec(text)
    if (found) return message.replace('$1', found[1] ?? '')
  }
  return 'does not fit the schema'
}
