import { ConfigurationError } from './errors.ts'
import type { Input, Operation } from './operation.ts'

/** A request, sent unchanged in each try. */
export type EncodedRequest = { url: string; method: string; body: string | null }

/** @throws ConfigurationError for an empty parameter: `/v3/check/` would be another operation */
export async function encodeRequest(
  baseUrl: string,
  { method, path }: Operation,
  { params = {}, query = {}, body }: Input,
): Promise<EncodedRequest> {
  const filled = path.replace(/\{(\w+)\}/g, (_match, name: string) => {
    const value = params[name]
    if (typeof value !== 'string' || value === '' || /^\.+$/.test(value))
      throw new ConfigurationError(`${name} must be an id, but is ${JSON.stringify(value)}.`)
    return encodeURIComponent(value)
  })
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== null) search.set(name, String(value))
  const suffix = search.size > 0 ? `?${search}` : ''
  const needsBody = method === 'POST' || method === 'PUT'
  return {
    url: `${baseUrl}${filled}${suffix}`,
    method,
    body: needsBody ? JSON.stringify(await withFilesInBase64(body ?? {})) : null,
  }
}

async function withFilesInBase64(value: unknown, field = ''): Promise<unknown> {
  if (value instanceof Blob) {
    const content = toBase64(new Uint8Array(await value.arrayBuffer()))
    const filename = 'name' in value && typeof value.name === 'string' ? value.name : null
    return field === 'attachment' && filename ? { filename, content } : content
  }
  if (value instanceof Uint8Array) return toBase64(value)
  if (value instanceof ArrayBuffer) return toBase64(new Uint8Array(value))
  if (Array.isArray(value)) return Promise.all(value.map((item) => withFilesInBase64(item)))
  if (typeof value !== 'object' || value === null || 'toJSON' in value) return value
  const members = Object.entries(value).map(async ([name, member]) => [name, await withFilesInBase64(member, name)])
  return Object.fromEntries(await Promise.all(members))
}

/** A call with more arguments than this can exceed the stack. */
const CHUNK_BYTES = 8_190

function toBase64(bytes: Uint8Array): string {
  let text = ''
  for (let start = 0; start < bytes.length; start += CHUNK_BYTES) {
    text += btoa(String.fromCharCode(...bytes.subarray(start, start + CHUNK_BYTES)))
  }
  return text
}
