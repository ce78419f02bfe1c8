/** Quotes a text for a shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

type Call = { method: string; url: string; headers?: Record<string, string>; body?: string }

/** Returns a curl command for a request, with a placeholder instead of the credential. */
export const curlCommand = ({ method, url, headers = {}, body }: Call): string =>
  [
    `curl ${method === 'GET' ? '' : `-X ${method} `}${quoted(url)}`,
    ...Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`--data-raw ${quoted(body)}`]),
  ].join(' \\\n  ')
