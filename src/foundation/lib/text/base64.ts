/** Decodes base64, with or without the prefix `data:…;base64,`. Returns null for invalid text. */
export function decodeBase64(text: string): Buffer | null {
  const base64 = text.replace(/^data:[^,]{1,100};base64,/, '')
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(base64) || base64.length % 4 !== 0) return null
  return Buffer.from(base64, 'base64')
}
