import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const standIns = fileURLToPath(new URL('../stand-ins', import.meta.url))

export type Curl = { path: string; isStandIn: boolean }

/** The curl that commands find. A machine without curl has the stand-in. */
export function findCurl(path = process.env.PATH ?? ''): Curl {
  const folder = path.split(delimiter).find((directory) => existsSync(join(directory, 'curl'))) ?? standIns
  return { path: join(folder, 'curl'), isStandIn: folder === standIns }
}

/** A PATH with curl, which the commands of the README need. The stand-in is added only where curl is missing. */
export function pathWithCurl(path = process.env.PATH ?? ''): string {
  return findCurl(path).isStandIn ? `${standIns}${delimiter}${path}` : path
}
