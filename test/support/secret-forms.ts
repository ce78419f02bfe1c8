/**
 * Returns the forms of a secret to search for: itself, its bytes as hex, and as base64 at each of the three offsets
 * that it can have in a longer text.
 *
 * @param secret a text, or bytes that are not text
 */
export function formsOf(secret: string | Buffer): string[] {
  const bytes = Buffer.from(secret)
  const encoded = [0, 1, 2].map((offset) => {
    const text = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64')
    // The first and the last character also depend on the bytes before and after.
    return text.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + bytes.length) * 8) / 6))
  })
  return [...(typeof secret === 'string' ? [secret] : []), bytes.toString('hex'), ...encoded]
}

/** Returns the secrets, by name, that a text contains in any form. Hex is found in either case. */
export function secretsIn(text: string, secrets: Readonly<Record<string, string | Buffer>>): string[] {
  const lower = text.toLowerCase()
  const isIn = (form: string) => text.includes(form) || (/^[0-9a-f]+$/.test(form) && lower.includes(form))
  return Object.entries(secrets).flatMap(([name, secret]) => (formsOf(secret).some(isIn) ? [name] : []))
}
