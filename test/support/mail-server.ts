import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { waitAtRandom } from './slow.ts'

/** A mail server with controllable answers. */
export type MailServer = {
  url: string
  /** The received messages, with headers and text. */
  messages: { from: string; to: string[]; data: string; login: string | null }[]
  /** The number of received passwords. */
  logins: number
  /** The answer to the next messages: a reply of RFC 5321, or null to leave them waiting. */
  answer: string | null
  /** Closes the connections that clients keep open. */
  hangUp(): void
}

type Lifetime = { after(end: () => Promise<void>): void }

export async function startMailServer(t: Lifetime): Promise<MailServer> {
  const sockets = new Set<Socket>()
  const hangUp = () => {
    for (const socket of sockets) socket.destroy()
  }
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {}).once('close', () => sockets.delete(socket))
    void converse(socket, mailServer)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const url = `smtp://user:p%40ss@127.0.0.1:${port}`
  const mailServer: MailServer = { url, messages: [], logins: 0, answer: '250 Ok', hangUp }
  t.after(async () => {
    hangUp()
    server.close()
  })
  return mailServer
}

async function converse(socket: Socket, server: MailServer): Promise<void> {
  const say = (line: string) => socket.write(`${line}\r\n`)
  let login: string | null = null
  let message = { from: '', to: [] as string[] }
  let data: string[] | null = null
  say('220 mail.test ESMTP')
  for await (const line of createInterface({ input: socket })) {
    if (data !== null) {
      if (line !== '.') {
        data.push(line)
        continue
      }
      await waitAtRandom()
      if (server.answer?.startsWith('2')) server.messages.push({ ...message, data: data.join('\n'), login })
      if (server.answer !== null) say(server.answer)
      message = { from: '', to: [] }
      data = null
      continue
    }
    const [, verb = '', rest = ''] = /^(\w+) ?(.*)$/.exec(line) ?? []
    if (verb === 'EHLO') say('250-mail.test\r\n250 AUTH PLAIN')
    else if (verb === 'AUTH') {
      server.logins += 1
      login = Buffer.from(rest.split(' ')[1] ?? '', 'base64').toString()
      say('235 Welcome')
    } else if (verb === 'MAIL') {
      message.from = /<(.*?)>/.exec(rest)?.[1] ?? ''
      say('250 Ok')
    } else if (verb === 'RCPT') {
      message.to.push(/<(.*?)>/.exec(rest)?.[1] ?? '')
      say('250 Ok')
    } else if (verb === 'DATA') {
      data = []
      say('354 Go on')
    } else if (verb === 'QUIT') socket.end('221 Bye\r\n')
    else say('250 Ok')
  }
}
