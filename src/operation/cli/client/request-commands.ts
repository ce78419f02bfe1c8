import { readFile, writeFile } from 'node:fs/promises'
import { text as textOf } from 'node:stream/consumers'
import { StartProblem } from '../../../foundation/lib/start-problem.ts'
import { neutralJson } from '../../../foundation/lib/text/plain-text.ts'
import type { CommandFlags } from '../command-flags.ts'
import { callApi } from './api-command.ts'
import { isTerminal } from './list-printer.ts'

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** Sends one request and prints its answer. @returns the exit code @throws StartProblem */
export async function runRequest(method: Method, flags: CommandFlags, [path = '']: string[]): Promise<number> {
  const target = withQuery(requirePath(path), flags.query ?? [])
  const body = await readBody(flags)
  const options = flags.idempotencyKey === undefined ? {} : { idempotencyKey: flags.idempotencyKey }
  return callApi(flags, async (remit) => {
    const input = { ...(body && { body }), answersFile: true } as const
    const { data, response } = await remit.request<Blob | undefined>(method, target, input, options).withResponse()
    if (data) await printAnswer(data, { type: response.headers.get('content-type') ?? '', output: flags.output })
  })
}

function requirePath(path: string): string {
  const isValid = /^\/[\x21-\x7e]*$/.test(path) && !/[#{}\\]/.test(path) && !path.startsWith('//')
  if (isValid) return path
  throw new StartProblem('PATH must begin with a slash, such as /v3/check?status=PAID. Encode other characters.')
}

function withQuery(path: string, given: readonly string[]): string {
  if (given.length === 0) return path
  const query = new URLSearchParams(given.map((text) => parsePair('--query', text)))
  return `${path}${path.includes('?') ? '&' : '?'}${query}`
}

function parsePair(option: string, text: string): [name: string, value: string] {
  const [, name, value] = /^([^=]+)=(.*)$/s.exec(text) ?? []
  if (name !== undefined && value !== undefined) return [name, value]
  throw new StartProblem(`${option} must be NAME=VALUE.`)
}

async function readBody({ data, field: fields = [] }: CommandFlags): Promise<object | null> {
  if (data === undefined && fields.length === 0) return null
  const start = data === undefined ? {} : parseObject(await readData(data))
  return { ...start, ...Object.fromEntries(fields.map(parseField)) }
}

/** Parses a field: `name=Bob` is a text, and `amount:=12.5` is JSON. */
function parseField(text: string): [name: string, value: unknown] {
  const [name, value] = parsePair('--field', text)
  if (!name.endsWith(':')) return [name, value]
  try {
    return [name.slice(0, -1), JSON.parse(value)]
  } catch {
    throw new StartProblem(`--field ${name.slice(0, -1)} must be JSON after ":=". Use "=" for a text.`)
  }
}

/** Reads the data: the text itself, a file (`@FILE`) or standard input (`-`). */
async function readData(data: string): Promise<string> {
  if (data === '-') return textOf(process.stdin)
  if (!data.startsWith('@')) return data
  const path = data.slice(1)
  return readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new StartProblem(`Cannot read ${path}: ${error.code}.`)
  })
}

function parseObject(text: string): object {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  } catch {}
  throw new StartProblem('--data must be a JSON object.')
}

/** Prints JSON with line breaks. Other answers, such as a PDF, are written unchanged into a file or a pipe. */
async function printAnswer(data: Blob, { type, output }: { type: string; output: string | undefined }): Promise<void> {
  if (output !== undefined) return writeAnswer(output, data)
  if (type.startsWith('application/json')) return console.log(neutralJson(JSON.parse(await data.text())))
  if (isTerminal()) throw new StartProblem(`The answer is ${type || 'a file'}. Use --output FILE.`)
  process.stdout.write(await data.bytes())
}

async function writeAnswer(path: string, data: Blob): Promise<void> {
  await writeFile(path, await data.bytes()).catch((error: NodeJS.ErrnoException) => {
    throw new StartProblem(`Cannot write ${path}: ${error.code}.`)
  })
}
