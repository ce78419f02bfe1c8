import { createConnection, type Socket } from 'node:net'
import { type AnyAuthMethod, Client, type KeyboardInteractiveAuthMethod, type SFTPWrapper } from 'ssh2'
import { fingerprintOf, fingerprintOfKey, hostKeyAlgorithms, isPinned } from './host-key-rules.ts'
import { shortened, TransferProblem } from './transfer-problem-rules.ts'
import type { SftpServer, TransferProblemKind } from './transport-types.ts'

/** An open connection. If the server does not answer a call in time, the connection ends. */
export type SftpConnection = {
  sftp: SFTPWrapper
  /**
   * Makes one call. `what` completes the sentence "The server … ", for example "did not list /out".
   *
   * @throws TransferProblem, a `StatusError` if the server answered with an error
   */
  call<T>(what: string, start: (done: (error?: Error | null, value?: T) => void) => void): Promise<T>
}

/** An error that the server reported. `code` is a status of SFTP version 3 (draft-ietf-secsh-filexfer-02, section 7). */
export class StatusError extends TransferProblem {
  readonly code: number

  constructor(what: string, error: Error & { code: number }) {
    const kind = error.code === STATUS.PERMISSION_DENIED ? 'refused' : 'failed'
    super(kind, `The server ${what}: ${shortened(error.message)}.`)
    this.code = error.code
  }
}

export const STATUS = { EOF: 1, NO_SUCH_FILE: 2, PERMISSION_DENIED: 3, FAILURE: 4 } as const

/**
 * Connects to a server, does the work and disconnects.
 *
 * @param given.mayContinue is called before each request. If it returns false, the session ends
 * @throws TransferProblem
 */
export async function withSftp<T>(
  server: SftpServer,
  work: (connection: SftpConnection) => Promise<T>,
  { mayContinue = () => true }: { mayContinue?: () => boolean } = {},
): Promise<T> {
  const { connectMs, sessionMs } = server.bounds
  const session = begin(server)
  const [signIn, whole] = [
    session.endAfter(connectMs, `${placeOf(server)} did not complete the sign-in within ${seconds(connectMs)}.`),
    session.endAfter(sessionMs, `The session took longer than ${seconds(sessionMs)}.`),
  ]
  try {
    await Promise.race([signedIn(server, session), session.ended])
    clearTimeout(signIn)
    const call = callOf(server, session, mayContinue)
    const sftp = await call<SFTPWrapper>('did not open SFTP', (done) => session.client.sftp(done))
    sftp.on('error', ({ message }: Error) => {
      session.end('unreachable', `The server broke the SFTP protocol: ${shortened(message)}.`)
    })
    return await work({ sftp, call }) // when the connection ends, calls that wait fail
  } finally {
    clearTimeout(signIn)
    clearTimeout(whole)
    session.client.end() // tells the server
    session.socket.destroy()
  }
}

type Session = {
  client: Client
  socket: Socket
  /** Rejects when the connection ends, with the first error. */
  ended: Promise<never>
  /** Ends the connection with an error. */
  end(kind: TransferProblemKind, message: string): void
  /** Ends the connection as timed out, unless the timer is cleared before. */
  endAfter(ms: number, message: string): NodeJS.Timeout
}

/** Begins to connect. Our own socket is used, so that the connection can end at once even if the server does not close its side. */
function begin(server: SftpServer): Session {
  const client = new Client()
  const socket = createConnection({ host: server.host, port: server.port, noDelay: true })
  let reject: (problem: TransferProblem) => void
  const ended = new Promise<never>((_resolve, rejectEnded) => {
    reject = rejectEnded
  })
  ended.catch(() => {}) // awaited together with the work
  const end: Session['end'] = (kind, message) => {
    reject(new TransferProblem(kind, message))
    socket.destroy()
  }
  client.on('error', (error) => end(...problemOf(error, server)))
  client.on('close', () => end('unreachable', `${placeOf(server)} closed the connection.`))
  return { client, socket, ended, end, endAfter: (ms, message) => setTimeout(() => end('timed_out', message), ms) }
}

function signedIn(server: SftpServer, { client, socket, end }: Session): Promise<void> {
  return new Promise((resolve) => {
    client.once('ready', resolve).connect({
      sock: socket,
      username: server.user,
      readyTimeout: 0, // the time limit `connectMs` applies instead, including the TCP connection
      algorithms: { serverHostKey: hostKeyAlgorithms(server.hostKeys) },
      hostVerifier: (key: Buffer) => {
        const isExpected = isPinned(key, server.hostKeys)
        if (!isExpected) end('host_key', wrongHostKey(server, key))
        return isExpected
      },
      authHandler: signInsOf(server),
    })
  })
}

const wrongHostKey = (server: SftpServer, key: Buffer): string =>
  `${placeOf(server)} has the host key ${fingerprintOfKey(key)}, but the pinned ${server.hostKeys.length === 1 ? 'key is' : 'keys are'} ` +
  `${server.hostKeys.map(({ sha256 }) => fingerprintOf(sha256)).join(', ')}. Remit disconnected and sent nothing. ` +
  'Ask the bank whether it changed its key.'

/**
 * Returns the sign-in methods. Many servers ask for the password as a question (`keyboard-interactive`). The password is not sent if the
 * server would show the answer on a screen.
 */
function signInsOf({ user: username, credential }: SftpServer): AnyAuthMethod[] {
  if ('key' in credential) return [{ type: 'publickey', username, key: credential.key }]
  const { password } = credential
  const prompt: KeyboardInteractiveAuthMethod['prompt'] = (_name, _instructions, _language, questions, finish) =>
    finish(questions.map(({ echo }) => (echo ? '' : password)))
  return [
    { type: 'password', username, password },
    { type: 'keyboard-interactive', username, prompt },
  ]
}

function problemOf(
  error: Error & { level?: string; code?: string },
  server: SftpServer,
): [kind: TransferProblemKind, message: string] {
  const place = placeOf(server)
  if (error.level === 'client-authentication') {
    return ['sign_in', `${place} does not let the user ${server.user} sign in with this key or password.`]
  }
  const reason = error.code ? `${error.code}, ${shortened(error.message)}` : shortened(error.message)
  return ['unreachable', `The connection to ${place} failed: ${reason}.`]
}

function callOf(
  { bounds: { answerMs } }: SftpServer,
  session: Session,
  mayContinue: () => boolean,
): SftpConnection['call'] {
  return (what, start) => {
    if (!mayContinue()) {
      session.end('timed_out', 'This process stood still, and another one may use the connection now.')
      return session.ended
    }
    const bound = session.endAfter(answerMs, `The server ${what} within ${seconds(answerMs)}.`)
    // An error without a status means that the channel is closed or was not opened.
    const lost = ({ message }: Error) => session.end('unreachable', `The server ${what}: ${shortened(message)}.`)
    const answer = new Promise<never>((resolve, reject) => {
      try {
        start((error, value) => {
          if (!error) resolve(value as never)
          else if (isStatus(error)) reject(new StatusError(what, error))
          else lost(error)
        })
      } catch (error) {
        lost(error as Error)
      }
    })
    return Promise.race([answer, session.ended]).finally(() => clearTimeout(bound))
  }
}

const isStatus = (error: Error): error is Error & { code: number } => 'code' in error && typeof error.code === 'number'

const placeOf = ({ host, port }: SftpServer): string => `${host}:${port}`

const seconds = (ms: number): string => `${ms / 1000} s`
