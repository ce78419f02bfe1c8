import { createSocket } from 'node:dgram'
import { isIP } from 'node:net'
import type { TestContext } from 'node:test'

/** Addresses of either family, a failure code (RFC 1035, 4.1.1), or no answer at all. */
type Answer = string[] | 'server failure' | 'refused' | 'silence'

/** A real DNS server. */
export type NameServer = {
  /** ADDRESS:PORT. */
  address: string
  /** Answers by host name. A function is called for each lookup; an unknown name does not exist. */
  names: Map<string, Answer | (() => Answer)>
  /** Every question, as `A example.com`. */
  asked: string[]
  /** Questions that get no answer, in the format of `questions`. */
  ignored: Set<string>
}

const CODES = { 'no error': 0, 'server failure': 2, 'no such name': 3, refused: 5 }
const TYPES = { A: 1, AAAA: 28 }

export async function startNameServer(t: TestContext | { after: TestContext['after'] }): Promise<NameServer> {
  const socket = createSocket('udp4')
  const server: NameServer = { address: '', names: new Map(), asked: [], ignored: new Set() }
  socket.on('message', (question, from) => {
    const { name, type, end } = parseQuestion(question)
    const asked = `${type === TYPES.AAAA ? 'AAAA' : 'A'} ${name}`
    server.asked.push(asked)
    if (server.ignored.has(asked)) return
    const known = server.names.get(name)
    // Both questions about a name belong to one lookup, so the second gets the answer of the first.
    const answer = typeof known === 'function' ? (type === TYPES.A ? known() : []) : known
    if (answer !== 'silence') socket.send(reply(question.subarray(0, end), { type, answer }), from.port, from.address)
  })
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
  t.after(() => void socket.close())
  server.address = `127.0.0.1:${socket.address().port}`
  return server
}

function parseQuestion(message: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = []
  let at = 12
  for (let length = message[at] ?? 0; length > 0; length = message[at] ?? 0) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.').toLowerCase(), type: message.readUInt16BE(at + 1), end: at + 5 }
}

function reply(question: Buffer, { type, answer }: { type: number; answer: Answer | undefined }): Buffer {
  const family = type === TYPES.A ? 4 : 6
  const addresses = Array.isArray(answer) ? answer.filter((address) => isIP(address) === family) : []
  const code = answer === undefined ? 'no such name' : Array.isArray(answer) ? 'no error' : answer
  const header = Buffer.alloc(12)
  question.copy(header, 0, 0, 2)
  header.writeUInt16BE(0x8180 | CODES[code as keyof typeof CODES], 2) // a response, recursion desired and available
  header.writeUInt16BE(1, 4)
  header.writeUInt16BE(addresses.length, 6)
  const records = addresses.map((address) => {
    const bytes = addressBytes(address)
    const record = Buffer.alloc(12)
    record.writeUInt16BE(0xc00c, 0) // the name of the question
    record.writeUInt16BE(type, 2)
    record.writeUInt16BE(1, 4)
    record.writeUInt16BE(bytes.length, 10) // after a time to live of 0
    return Buffer.concat([record, bytes])
  })
  return Buffer.concat([header, question.subarray(12), ...records])
}

function addressBytes(address: string): Buffer {
  if (isIP(address) === 4) return Buffer.from(address.split('.').map(Number))
  const host = new URL(`http://[${address}]`).hostname.slice(1, -1)
  const [head = '', tail] = host.split('::')
  const groups = (text: string | undefined) => (text ? text.split(':') : [])
  const zeros = Array<string>(8 - groups(head).length - groups(tail).length).fill('0')
  const all = tail === undefined ? groups(head) : [...groups(head), ...zeros, ...groups(tail)]
  return Buffer.from(all.map((group) => group.padStart(4, '0')).join(''), 'hex')
}
