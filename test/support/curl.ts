import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const standIns = fileURLToPath(new URL('../stand-ins', import.meta.url))

export type Curl = { path: string; isStandIn: boolean }

/** Returns the curl in the path. On a machine without curl, the stand-in is used. */
export function findCurl(path = process.env.PATH ?? ''): Curl {
  const folder = path.split(delimiter).find((directory) => existsSync(join(directory, 'curl'))) ?? standIns
  return { path: join(folder, 'curl'), isStandIn: folder === standIns }
}

/** Returns a PATH with curl, which the commands of the README need. The stand-in is added only if curl is missing. */
export function pathWithCurl(path = process.env.PATH ?? ''): string {
  return findCurl(path).isStandIn ? `${standIns}${delimiter}${path}` : path
}
