import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { RequestListener } from 'node:http'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { after, suite, type TestContext, test } from 'node:test'
import {
  createServer as createTlsServer,
  getCACertificates,
  setDefaultCACertificates,
  type TLSSocket,
  type TlsOptions,
} from 'node:tls'
import { gzipSync } from 'node:zlib'
import { type Certificate, createAuthority, selfSigned } from './support/certificates.ts'
import { startHttps } from './support/https-server.ts'
import { startNameServer } from './support/name-server.ts'
import { startReceiver } from './support/receiver.ts'
import { waitUntil } from './support/wait-until.ts'
import { createPoster } from './support/webhook-post.ts'

// Faults of receivers. Each causes one failed attempt with a reason, and leaves no connection behind.

const authority = createAuthority()
setDefaultCACertificates([...getCACertificates('default'), authority.cert])

type Treatment = (socket: Socket) => void
type Expected = [outcome: string, httpStatus: number | null, error: string | null]

const OK = 'HTTP/1.1 200 OK\r\n'
const CLOSED = 'the connection was closed before an answer'
const NOT_HTTP = 'the answer is not HTTP'

/** Answers a request with bytes, and keeps the connection open. */
const says =
  (bytes: string | Buffer): Treatment =>
  (socket) => {
    socket.once('data', () => socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes))
  }

/** Answers a request with bytes and closes the connection. */
const saysAndCloses =
  (bytes: string): Treatment =>
  (socket) => {
    socket.once('data', () => socket.end(Buffer.from(bytes, 'latin1')))
  }

/** Repeats a text as fast as it is accepted. */
const floods =
  (begin: string, more: string): Treatment =>
  (socket) => {
    const chunk = more.repeat(Math.ceil(65_536 / more.length))
    socket.once('data', () => {
      socket.write(begin)
      const send = () => {
        while (!socket.destroyed && socket.write(chunk));
        if (!socket.destroyed) socket.once('drain', send)
      }
      send()
    })
  }

/** One byte a second. */
const trickles =
  (begin: string): Treatment =>
  (socket) => {
    socket.once('data', () => {
      socket.write(begin)
      const timer = setInterval(() => socket.write('x'), 1_000)
      socket.once('close', () => clearInterval(timer))
    })
  }

type Listening = { port: number; sockets: Set<Socket>; bytesSent(): number }

async function listen(
  t: TestContext | { after: TestContext['after'] },
  treat: Treatment,
  tls?: TlsOptions,
): Promise<Listening> {
  const sockets = new Set<Socket>()
  const accept = (socket: Socket) => {
    socket.on('error', () => {})
    treat(socket)
  }
  const server: Server = tls ? createTlsServer(tls, accept) : createServer(accept)
  let bytesSent = 0
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.once('close', () => {
      bytesSent += socket.bytesWritten
      sockets.delete(socket)
    })
  })
  server.on('tlsClientError', () => {})
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(async () => {
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
  })
  return { port: (server.address() as AddressInfo).port, sockets, bytesSent: () => bytesSent }
}

/** Checks that the connections to a receiver end when the attempt is over. */
async function isLeft({ sockets }: Listening): Promise<void> {
  const left = [...sockets]
  await Promise.all(left.map((socket) => socket.closed || new Promise((resolve) => socket.once('close', resolve))))
}

suite('an answer', () => {
  const rows: [what: string, treat: Treatment, expected: Expected, body?: string][] = [
    ['none, the connection is closed at once', (socket) => socket.destroy(), ['unreachable', null, CLOSED]],
    ['none, the connection is reset', (socket) => socket.resetAndDestroy(), ['unreachable', null, CLOSED]],
    ['none, closed after the request', saysAndCloses(''), ['unreachable', null, CLOSED]],
    ['half of the headers', saysAndCloses(`${OK}content-le`), ['unreachable', null, CLOSED]],
    ['another protocol', says('SSH-2.0-OpenSSH_9.2\r\n'), ['unreachable', null, NOT_HTTP]],
    ['a greeting of mail', (socket) => socket.resume().write('220 mail ESMTP\r\n'), ['unreachable', null, NOT_HTTP]],
    ['a TLS alert', says('\x15\x03\x01\0\x02\x02\x46'), ['unreachable', null, NOT_HTTP]],
    ['HTTP/2', says('\0\0\x12\x04\0\0\0\0\0'), ['unreachable', null, NOT_HTTP]],
    ['zero bytes', says('\0'.repeat(1_000)), ['unreachable', null, NOT_HTTP]],
    ['a status that is no number', says('HTTP/1.1 OK 200\r\n\r\n'), ['unreachable', null, NOT_HTTP]],
    ['a status of four digits', says('HTTP/1.1 2000 OK\r\n\r\n'), ['unreachable', null, NOT_HTTP]],
    ['two lengths', says(`${OK}content-length: 1\r\ncontent-length: 2\r\n\r\nab`), ['unreachable', null, NOT_HTTP]],
    [
      'a length and chunks',
      says(`${OK}content-length: 1\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`),
      ['unreachable', null, NOT_HTTP],
    ],
    ['a header of 1 MB', floods(`${OK}x: `, 'y'), ['unreachable', null, 'the headers of the answer are too large']],
    ['headers without end', floods(OK, 'x: y\r\n'), ['unreachable', null, 'the headers of the answer are too large']],
    [
      '103 without end',
      floods('', 'HTTP/1.1 103 Early Hints\r\n\r\n'),
      ['unreachable', null, 'too many interim answers (1xx)'],
    ],
    [
      '102 without end',
      floods('', 'HTTP/1.1 102 Processing\r\n\r\n'),
      ['unreachable', null, 'too many interim answers (1xx)'],
    ],
    ['100 without end', floods('', 'HTTP/1.1 100 Continue\r\n\r\n'), ['unreachable', null, CLOSED]],
    [
      'another protocol by 101',
      says('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n'),
      ['unreachable', null, CLOSED],
    ],
    [
      '103, then 200',
      says(`HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n${OK}content-length: 2\r\n\r\nok`),
      ['acknowledged', 200, null],
      'ok',
    ],
    ['200 and a body', says(`${OK}content-length: 6\r\n\r\nthanks`), ['acknowledged', 200, null], 'thanks'],
    ['204', says('HTTP/1.1 204 No Content\r\n\r\n'), ['acknowledged', 204, null], ''],
    [
      'HTTP/1.0 without a length',
      saysAndCloses('HTTP/1.0 200 OK\r\n\r\nthanks'),
      ['acknowledged', 200, null],
      'thanks',
    ],
    [
      'a body that ends too early',
      saysAndCloses(`${OK}content-length: 100\r\n\r\nhalf`),
      ['acknowledged', 200, null],
      'half',
    ],
    [
      'a body in broken chunks',
      says(`${OK}transfer-encoding: chunked\r\n\r\n2\r\nok\r\nzz\r\n`),
      ['acknowledged', 200, null],
      'ok',
    ],
    ['a body that never arrives', says(`${OK}content-length: 100\r\n\r\n`), ['acknowledged', 200, null], ''],
    ['a body that never ends', trickles(`${OK}content-length: 9999\r\n\r\nx`), ['acknowledged', 200, null]],
    ['an error that never ends', trickles('HTTP/1.1 500 No\r\ncontent-length: 9999\r\n\r\n'), ['rejected', 500, null]],
    ['1 GB', floods(`${OK}content-length: 1000000000\r\n\r\n`, 'z'), ['acknowledged', 200, null], 'z'.repeat(1_024)],
    [
      'chunks without end',
      floods(`${OK}transfer-encoding: chunked\r\n\r\n`, '4\r\nzzzz\r\n'),
      ['acknowledged', 200, null],
      'z'.repeat(1_024),
    ],
    [
      'trailers without end',
      floods(`${OK}transfer-encoding: chunked\r\n\r\n1\r\nz\r\n0\r\n`, 'x: y\r\n'),
      ['acknowledged', 200, null],
      'z',
    ],
    [
      'two answers',
      says(`${OK}content-length: 2\r\n\r\nok${OK}content-length: 2\r\n\r\nno`),
      ['acknowledged', 200, null],
      'ok',
    ],
    [
      'a redirect to metadata',
      says('HTTP/1.1 302 Found\r\nlocation: http://169.254.169.254/\r\ncontent-length: 0\r\n\r\n'),
      ['rejected', 302, null],
      '',
    ],
    [
      'a body that is not text',
      says(Buffer.from(`${OK}content-length: 3\r\n\r\n\xff\0\xfe`, 'latin1')),
      ['acknowledged', 200, null],
      '\xff\0\xfe',
    ],
  ]

  test('that is wrong causes one attempt with a reason, and the connection is closed', async (t) => {
    const { lines, post } = createPoster(t, { allowsLocalWebhooks: true })
    const healthy = await startReceiver(t)
    await Promise.all(
      rows.map(async ([what, treat, expected, body]) => {
        const receiver = await listen(t, treat)
        const result = await post(`http://127.0.0.1:${receiver.port}/hook`)
        assert.deepEqual([result.outcome, result.httpStatus, result.error], expected, what)
        if (body !== undefined) assert.equal(result.responseBody.toString('latin1'), body, what)
        if (expected[0] === 'unreachable') await isLeft(receiver)
        assert.ok(receiver.bytesSent() < 16_000_000, `${what}: ${receiver.bytesSent()} bytes were read`)
      }),
    )
    assert.equal((await post(healthy.url)).outcome, 'acknowledged')
    assert.equal(lines.dialer.sockets.size, 0)
  })

  test('that is compressed is stored unchanged: a decompression bomb stays small', async (t) => {
    const bomb = gzipSync(Buffer.alloc(20_000_000))
    const receiver = await startReceiver(t)
    receiver.answer = (response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb)
    const { post } = createPoster(t, { allowsLocalWebhooks: true })
    const { outcome, responseBody } = await post(receiver.url)
    assert.equal(outcome, 'acknowledged')
    assert.deepEqual(responseBody, bomb.subarray(0, 1_024))
  })

  test('with a redirect is not followed', async (t) => {
    const [receiver, target] = [await startReceiver(t), await startReceiver(t)]
    const { post } = createPoster(t, { allowsLocalWebhooks: true })
    for (const status of [301, 302, 303, 307, 308]) {
      receiver.answer = (response) => response.writeHead(status, { location: target.url }).end()
      const { outcome, httpStatus, error } = await post(receiver.url)
      assert.deepEqual([outcome, httpStatus], ['rejected', status], `${error}`)
    }
    assert.equal(target.received.length, 0)
  })

  test('with a refusal may set the time of the next attempt, and one with a success may not', async (t) => {
    const receiver = await startReceiver(t)
    const { post } = createPoster(t, { allowsLocalWebhooks: true })
    const rows: [status: number, retryAfter: string | string[], seconds: number | null][] = [
      [503, '120', 120],
      [429, '0', 0],
      [429, ['30', '60'], 30],
      [503, 'whenever', null],
      [503, new Date(Date.now() - 60_000).toUTCString(), 0],
      [200, '120', null],
    ]
    for (const [status, retryAfter, seconds] of rows) {
      receiver.answer = (response) => response.setHeader('retry-after', retryAfter).writeHead(status).end()
      assert.equal((await post(receiver.url)).retryAfterSeconds, seconds, `${status} ${retryAfter}`)
    }
  })
})

suite('a certificate', () => {
  const day = (days: number) => new Date(Date.now() + days * 24 * 60 * 60 * 1_000)
  const unknown = 'the certificate comes from no known authority'
  const alone = 'the host does not send its intermediate certificate, or its authority is not known'
  const intermediate = authority.issueIntermediate()
  const below = intermediate.issue(['a.hooks.example'])
  const stranger = createAuthority('Nobody')
  const foreign = stranger.issue(['a.hooks.example'])
  const rows: [what: string, certificate: Certificate, expected: Expected][] = [
    ['good', authority.issue(['a.hooks.example']), ['acknowledged', 200, null]],
    ['for any name of the domain', authority.issue(['*.hooks.example']), ['acknowledged', 200, null]],
    [
      'for another name',
      authority.issue(['other.example']),
      ['unreachable', null, 'the certificate is for another host'],
    ],
    ['for its address', authority.issue(['127.0.0.2']), ['unreachable', null, 'the certificate is for another host']],
    [
      'expired',
      authority.issue(['a.hooks.example'], { from: day(-2), to: day(-1) }),
      ['unreachable', null, 'the certificate has expired'],
    ],
    [
      'not valid yet',
      authority.issue(['a.hooks.example'], { from: day(1), to: day(2) }),
      ['unreachable', null, 'the certificate is not valid yet'],
    ],
    ['signed by itself', selfSigned('a.hooks.example'), ['unreachable', null, 'the certificate is self-signed']],
    ['of an unknown authority', foreign, ['unreachable', null, alone]],
    [
      'of an unknown authority that is also sent',
      { ...foreign, cert: foreign.cert + stranger.cert },
      ['unreachable', null, unknown],
    ],
    ['without its intermediate certificate', below, ['unreachable', null, alone]],
    [
      'with its intermediate certificate',
      { ...below, cert: below.cert + intermediate.cert },
      ['acknowledged', 200, null],
    ],
  ]

  test('is checked: its name, its validity period, and its issuer', async (t) => {
    const names = await startNameServer(t)
    names.names.set('a.hooks.example', ['127.0.0.2'])
    const { post } = createPoster(t, { webhookNameServers: [names.address], webhookAllowedNetworks: ['127.0.0.2/32'] })
    for (const [what, certificate, expected] of rows) {
      const arrived: string[] = []
      const answer: RequestListener = (request, response) => {
        arrived.push(request.url ?? '')
        response.end()
      }
      const { port } = await startHttps(t, { certificate, address: '127.0.0.2', answer })
      const url = `https://a.hooks.example:${port}/`
      for (const time of ['first', 'second']) {
        const result = await post(url)
        assert.deepEqual([result.outcome, result.httpStatus, result.error], expected, `${what}, the ${time} time`)
      }
      assert.equal(arrived.length, expected[0] === 'acknowledged' ? 2 : 0, what)
    }
  })

  test('does not help if the protocol is outdated or missing, or requires a client certificate', async (t) => {
    const certificate = authority.issue(['localhost'])
    const old = await listen(t, says(OK), {
      ...certificate,
      minVersion: 'TLSv1',
      maxVersion: 'TLSv1.1',
      ciphers: 'DEFAULT@SECLEVEL=0',
    })
    const plain = await listen(t, says(`${OK}content-length: 0\r\n\r\n`))
    const closing = await listen(t, (socket) => socket.destroy())
    const wanting = (maxVersion: 'TLSv1.2' | 'TLSv1.3') =>
      listen(t, says(`${OK}content-length: 0\r\n\r\n`), { ...certificate, maxVersion, requestCert: true, ca: [] })
    const { post } = createPoster(t, { allowsLocalWebhooks: true })
    const reason = async ({ port }: Listening) => (await post(`https://localhost:${port}/`)).error
    assert.match((await reason(old)) ?? '', /^the host speaks no TLS newer than 1\.1/)
    assert.match((await reason(plain)) ?? '', /^the port does not speak TLS/)
    assert.equal(await reason(closing), CLOSED)
    assert.match((await reason(await wanting('TLSv1.3'))) ?? '', /may ask for a client certificate/)
    assert.match((await reason(await wanting('TLSv1.2'))) ?? '', /refused the TLS handshake: it may ask/)
    const alert = await listen(t, says('\x15\x03\x03\0\x02\x02\x28')) // handshake_failure (RFC 8446, 6)
    assert.match((await reason(alert)) ?? '', /refused the TLS handshake/)
  })

  test('need not be shown again, because a session is resumed', async (t) => {
    const resumed: boolean[] = []
    const answer: RequestListener = (request, response) => {
      resumed.push((request.socket as TLSSocket).isSessionReused())
      response.writeHead(200, { connection: 'close' }).end()
    }
    const certificate = authority.issue(['localhost'])
    const { port } = await startHttps(t, { certificate, address: '127.0.0.1', answer })
    const { post } = createPoster(t, { allowsLocalWebhooks: true })
    for (let count = 0; count < 3; count++) await post(`https://localhost:${port}/`)
    assert.deepEqual(resumed, [false, true, true])
  })
})

suite('several addresses', () => {
  test('are tried in parallel: one that takes a second is reached, regardless of the others', async (t) => {
    const names = await startNameServer(t)
    const { lines, post } = createPoster(t, {
      webhookNameServers: [names.address],
      webhookAllowedNetworks: ['127.0.0.0/8', '::1/128'],
    })
    const certificate = authority.issue(['far.example'])
    const far = await startFarReceiver(t, certificate)
    for (const addresses of [['127.0.0.1', '::1'], ['127.0.0.1', '127.0.0.2', '::1'], ['127.0.0.1']]) {
      names.names.set('far.example', addresses)
      far.beFar()
      const { outcome, error } = await post(`https://far.example:${far.port}/`)
      assert.deepEqual([outcome, error], ['acknowledged', null], addresses.join())
    }
    await until(() => lines.dialer.sockets.size === 0)
  })

  test('that all fail are named, each with its reason', async (t) => {
    const names = await startNameServer(t)
    const { post } = createPoster(t, {
      webhookNameServers: [names.address],
      webhookAllowedNetworks: ['127.0.0.0/8', '255.255.255.255/32'],
    })
    names.names.set('two.example', ['127.0.0.2', '127.0.0.3'])
    const { port } = await listen(t, () => {}) // on 127.0.0.1 only
    assert.equal(
      (await post(`https://two.example:${port}/`)).error,
      'the connection was refused (127.0.0.2, 127.0.0.3)',
    )
  })

  test('of two families: a name server that ignores one question does not delay the other, and connections share a lookup', async (t) => {
    const names = await startNameServer(t)
    names.names.set('half.example', ['127.0.0.2'])
    names.ignored.add('AAAA half.example')
    const certificate = authority.issue(['half.example'])
    const answer: RequestListener = (_request, response) => response.end()
    const { port } = await startHttps(t, { certificate, address: '127.0.0.2', answer })
    const { post } = createPoster(t, {
      webhookNameServers: [names.address],
      webhookAllowedNetworks: ['127.0.0.2/32'],
    })
    const url = `https://half.example:${port}/`
    for (const { outcome, error } of await Promise.all([post(url), post(url), post(url)])) {
      assert.deepEqual([outcome, error], ['acknowledged', null])
    }
    // The ignored question is asked again after two seconds.
    assert.deepEqual([...new Set(names.asked)].sort(), ['A half.example', 'AAAA half.example'])
    assert.equal(names.asked.filter((question) => question === 'A half.example').length, 1)
  })
})

suite('10 seconds', () => {
  test('are the time limit at every stage, and other receivers do not wait', async (t) => {
    const names = await startNameServer(t)
    names.names.set('silent.example', 'silence')
    const { lines, post } = createPoster(t, { allowsLocalWebhooks: true, webhookNameServers: [names.address] })
    const healthy = await startReceiver(t)
    const silent: Treatment = (socket) => socket.resume()
    const port = async (treat: Treatment) => (await listen(t, treat)).port
    const rows: [what: string, url: string, expected: Expected][] = [
      [
        'connecting',
        `http://127.0.0.1:${await startDeafListener(t)}/`,
        ['timed_out', null, 'no answer within 10 seconds (connecting)'],
      ],
      [
        'TLS',
        `https://localhost:${await port(silent)}/`,
        ['timed_out', null, 'no answer within 10 seconds (TLS handshake)'],
      ],
      [
        'answering',
        `http://localhost:${await port(silent)}/`,
        ['timed_out', null, 'no answer within 10 seconds (waiting for the answer)'],
      ],
      [
        'not reading',
        `http://localhost:${await port((socket) => socket.pause())}/`,
        ['timed_out', null, 'no answer within 10 seconds (waiting for the answer)'],
      ],
      [
        'in the headers',
        `http://localhost:${await port(trickles(`${OK}x-slow: `))}/`,
        ['timed_out', null, 'no answer within 10 seconds (waiting for the answer)'],
      ],
      [
        'between interim answers',
        `http://localhost:${await port(says('HTTP/1.1 103 Early Hints\r\n\r\n'))}/`,
        ['timed_out', null, 'no answer within 10 seconds (waiting for the answer)'],
      ],
      [
        'in the body',
        `http://localhost:${await port(trickles(`${OK}content-length: 9999\r\n\r\n`))}/`,
        ['acknowledged', 200, null],
      ],
    ]
    const hanging = Promise.all(rows.map(([, url]) => post(url)))
    const unanswered = post('https://silent.example/')
    let isHanging = true
    void hanging.then(() => {
      isHanging = false
    })
    for (let count = 0; count < 20; count++) assert.equal((await post(healthy.url)).outcome, 'acknowledged')
    assert.ok(isHanging, 'the healthy one was served while the others hung')
    for (const [index, { outcome, httpStatus, error }] of (await hanging).entries()) {
      const [what, , expected] = rows[index] as (typeof rows)[number]
      assert.deepEqual([outcome, httpStatus, error], expected, what)
    }
    assert.equal((await unanswered).error, 'the host name could not be looked up (ETIMEOUT)')
    await until(() => lines.dialer.sockets.size === 0)
  })
})

/** A port that accepts no connections, because its queue is full. */
async function startDeafListener(t: TestContext): Promise<number> {
  const listener = await startStoppable(t, { code: "require('node:net').createServer()" })
  listener.stop()
  return listener.port
}

/** A receiver whose connections take a second after `beFar`: the first packet of each is lost. */
async function startFarReceiver(t: TestContext, { cert, key }: Certificate): Promise<{ port: number; beFar(): void }> {
  const code = `require('node:https').createServer({ cert: process.env.CERT, key: process.env.KEY },
    (_, answer) => answer.writeHead(200, { connection: 'close' }).end())`
  const { port, stop, goOn } = await startStoppable(t, { code, env: { CERT: cert, KEY: key } })
  const beFar = () => {
    stop()
    setTimeout(goOn, 700)
  }
  return { port, beFar }
}

/** A server on 127.0.0.1, in a separate process, which accepts no connections while it is stopped. */
async function startStoppable(
  t: TestContext,
  { code, env = {} }: { code: string; env?: Record<string, string> },
): Promise<{ port: number; stop(): void; goOn(): void }> {
  const script = `const server = ${code}.listen({ port: 0, host: '127.0.0.1', backlog: 1 },
    () => console.log(server.address().port))`
  const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'], env })
  const [output] = await once(child.stdout, 'data')
  const port = Number(String(output))
  const sockets = new Set<Socket>()
  const empty = () => {
    for (const socket of sockets) socket.destroy()
    sockets.clear()
  }
  t.after(async () => {
    empty()
    child.kill('SIGKILL')
    await once(child, 'close')
  })
  return {
    port,
    stop: () => {
      child.kill('SIGSTOP')
      for (let count = 0; count < 8; count++) sockets.add(connect(port, '127.0.0.1').on('error', () => {}))
    },
    goOn: () => {
      empty()
      child.kill('SIGCONT')
    },
  }
}

const until = (holds: () => boolean): Promise<void> => waitUntil(`${holds}`, holds)

suite('many receivers', () => {
  test('keep at most a thousand pools open, and the least recently used ones are closed', async (t) => {
    // A pool has a source address and an origin. Here, the source addresses differ.
    const sources = Array.from({ length: 1_020 }, (_, index) => `127.1.${Math.floor(index / 250)}.${1 + (index % 250)}`)
    const receiver = await startReceiver(t)
    const { lines, post } = createPoster(t, { allowsLocalWebhooks: true, webhookSourceAddresses: sources })
    for (let count = 0; count < sources.length; count += 10) {
      const results = await Promise.all(Array.from({ length: 10 }, () => post(receiver.url)))
      assert.ok(results.every(({ outcome }) => outcome === 'acknowledged'))
    }
    assert.equal(new Set(receiver.received.map(({ from }) => from)).size, sources.length)
    assert.ok(lines.lines.size <= 1_000, `${lines.lines.size} lines are open`)
  })

  test('that cannot be reached, or that close their connections, leave nothing behind', async (t) => {
    const names = await startNameServer(t)
    const receiver = await startReceiver(t)
    receiver.answer = (response) => response.setHeader('connection', 'close').writeHead(200).end()
    const { lines, post } = createPoster(t, { allowsLocalWebhooks: true, webhookNameServers: [names.address] })
    const urls = Array.from({ length: 50 }, (_, index) => `https://n${index}.example/`)
    const results = await Promise.all([post(receiver.url), ...urls.map(post)])
    assert.deepEqual(
      results.map(({ error }) => error),
      [null, ...urls.map(() => 'the host name was not found')],
    )
    await until(() => lines.lines.size === 0)
  })
})

after(async () => {
  // All connections that were opened here are closed now, by either side.
  await until(() => !process.getActiveResourcesInfo().some((resource) => /^(TCPSocketWrap|TLSWrap)$/.test(resource)))
})
