/** A text in single quotes for a shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

type Call = { method: string; url: string; headers?: Record<string, string>; body?: string }

/** A command that makes a request. It contains no credential: put one where the placeholder is. */
export const curlOf = ({ method, url, headers = {}, body }: Call): string =>
  [
    `curl ${method === 'GET' ? '' : `-X ${method} `}${quoted(url)}`,
    ...Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`--data-raw ${quoted(body)}`]),
  ].join(' \\\n  ')
