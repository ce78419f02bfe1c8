import { connect, createServer, type Server, type Socket } from 'node:net'

/**
 * A message of PostgreSQL's protocol. `text` is its payload: SQL, a command tag, parameters. `bound` has the parameters of the
 * connection's current statement.
 */
export type Message = {
  from: 'client' | 'server'
  type: string
  text: string
  bound: string
  applicationName: string
}

/**
 * The treatment of a message. `lose` breaks the connection on both sides before forwarding it. `leave_behind` forwards it and
 * disconnects the client; the backend notices only after the statement. `swallow` forwards nothing from then on, and neither
 * side notices.
 */
export type MessageAction = 'pass' | 'lose' | 'leave_behind' | 'swallow'

export type PostgresProxy = {
  url: string
  /** Decides the treatment of each message from now on. */
  decide: (message: Message) => MessageAction
  /** The number of broken connections. */
  lostCount: number
  /** Breaks every connection and refuses new ones, as if the server were down. Also closes the proxy. */
  goDown(): Promise<void>
  comeBack(): Promise<void>
}

/** A proxy between the service and PostgreSQL that breaks connections at chosen messages. */
export async function startPostgresProxy(databaseUrl: string): Promise<PostgresProxy> {
  const target = new URL(databaseUrl)
  const sockets = new Set<Socket>()

  function treatConnection(client: Socket) {
    const server = connect({ host: target.hostname, port: Number(target.port), noDelay: true })
    client.setNoDelay(true)
    let applicationName = ''
    let bound = ''
    let isLeftBehind = false
    let isSwallowed = false

    /** @returns whether to continue with the next message */
    const treat = (from: Message['from'], to: Socket, bytes: Buffer): boolean => {
      if (isSwallowed) return true
      const type = String.fromCharCode(bytes.readUInt8(0))
      const text = bytes.toString('latin1', 5)
      if (from === 'client' && type === 'B') bound = text
      const decide = proxy.decide({ from, type, text, bound, applicationName })
      if (decide === 'swallow') {
        proxy.lostCount++
        isSwallowed = true
        return true
      }
      if (decide !== 'lose' && !to.destroyed) to.write(bytes)
      if (decide === 'pass') return true
      proxy.lostCount++
      isLeftBehind = decide === 'leave_behind'
      client.destroy()
      if (isLeftBehind) server.end()
      else server.destroy()
      return false
    }
    const fromClient = messages((bytes) => treat('client', server, bytes), {
      onStartup: (bytes) => {
        applicationName = /application_name\0([^\0]*)\0/.exec(bytes.toString('latin1'))?.[1] ?? ''
        server.write(bytes)
      },
    })
    const fromServer = messages((bytes) => treat('server', client, bytes), {})

    for (const socket of [client, server]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => sockets.delete(socket))
    }
    client.on('data', fromClient)
    server.on('data', (chunk) => {
      if (!isLeftBehind) fromServer(chunk)
    })
    client.on('close', () => {
      if (!isLeftBehind && !isSwallowed) server.destroy()
    })
    server.on('close', () => {
      if (!isSwallowed) client.destroy()
    })
  }

  let listener: Server = createServer(treatConnection)
  const listen = (port: number) =>
    new Promise<void>((resolve) => listener.unref().listen(port, '127.0.0.1', () => resolve()))
  await listen(0)
  const { port } = listener.address() as { port: number }
  const url = new URL(databaseUrl)
  url.hostname = '127.0.0.1'
  url.port = String(port)

  const goDown = () =>
    new Promise<void>((resolve) => {
      listener.close(() => resolve())
      for (const socket of sockets) socket.destroy()
    })
  const proxy: PostgresProxy = {
    url: url.href,
    decide: () => 'pass',
    lostCount: 0,
    goDown,
    comeBack: () => {
      listener = createServer(treatConnection)
      return listen(port)
    },
  }
  return proxy
}

/** Splits a stream into messages: one byte for the type, four for the length, then the payload. A client's first message has no type. */
function messages(onMessage: (bytes: Buffer) => boolean, { onStartup }: { onStartup?: (bytes: Buffer) => void }) {
  let rest = Buffer.alloc(0)
  let isStarted = onStartup === undefined
  let isOpen = true
  return (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk])
    while (isOpen) {
      const headLength = isStarted ? 1 : 0
      if (rest.length < headLength + 4) return
      const length = headLength + rest.readUInt32BE(headLength)
      if (rest.length < length) return
      const bytes = rest.subarray(0, length)
      rest = rest.subarray(length)
      if (isStarted) isOpen = onMessage(bytes)
      else onStartup?.(bytes)
      isStarted = true
    }
  }
}

const isOfGroup = ({ bound, applicationName }: Message): boolean =>
  bound.includes('recipient@example.com') && applicationName.endsWith('groups')

/** Whether a message sends the payments of a group to the server. */
export const isGroupPayment = (message: Message): boolean =>
  message.from === 'client' && message.type === 'B' && isOfGroup(message)

/** Whether a message makes the server commit them: the end of a statement that is its own transaction. */
export const isGroupCommit = (message: Message): boolean =>
  message.from === 'client' && message.type === 'S' && isOfGroup(message)

/** Whether a message confirms their commit. */
export const isGroupCommitted = (message: Message): boolean =>
  message.from === 'server' && message.type === 'Z' && isOfGroup(message)
