import { createConnection } from 'node:net'

// An HTTP/1.1 client with one keep-alive connection and one request in flight. It reads only the status and the end of an
// answer, because a general client uses several times the CPU, and the service runs on the same machine.

export type Answered = (status: number) => void

export type Connection = {
  /** Sends a complete request that has exactly one answer. `answered` gets 0 when the connection was lost. */
  send(request: string, answered: Answered): void
  close(): void
}

const HEAD_END = Buffer.from('\r\n\r\n')
const LAST_CHUNK = Buffer.from('0\r\n\r\n')

export function openConnection({ host, port }: { host: string; port: number }): Connection {
  let socket = connect()
  let received: Buffer = Buffer.alloc(0)
  let waiting: Answered | null = null
  let isClosed = false

  function connect() {
    const made = createConnection({ host, port, noDelay: true })
    made.on('data', onData)
    made.on('error', () => {})
    made.on('close', () => {
      if (isClosed || made !== socket) return
      socket = connect()
      received = Buffer.alloc(0)
      answer(0)
    })
    return made
  }

  function onData(chunk: Buffer) {
    received = received.length === 0 ? chunk : Buffer.concat([received, chunk])
    const headEnd = received.indexOf(HEAD_END)
    if (headEnd < 0 || !isWhole(received, headEnd)) return
    const status = Number(received.toString('latin1', 9, 12))
    received = Buffer.alloc(0)
    answer(status)
  }

  function answer(status: number) {
    const answered = waiting
    waiting = null
    answered?.(status)
  }

  return {
    send: (request, answered) => {
      waiting = answered
      socket.write(request)
    },
    close: () => {
      isClosed = true
      socket.destroy()
    },
  }
}

function isWhole(received: Buffer, headEnd: number): boolean {
  const head = received.toString('latin1', 0, headEnd)
  const [, length] = /\r\ncontent-length: *(\d+)/i.exec(head) ?? []
  if (length !== undefined) return received.length >= headEnd + HEAD_END.length + Number(length)
  return head.startsWith('204', 9) || received.subarray(-LAST_CHUNK.length).equals(LAST_CHUNK)
}
