import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { createServer as createHttpServer } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { suite, type TestContext, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { fileURLToPath } from 'node:url'
import { createAuthority } from './support/certificates.ts'
import { startHttps } from './support/https-server.ts'
import { startNameServer } from './support/name-server.ts'
import { sendPayment, triggerStatus } from './support/payments.ts'
import { startReceiver } from './support/receiver.ts'
import { startTestService } from './support/service.ts'
import { createPoster } from './support/webhook-post.ts'
import { attemptsOf, newSender, setWebhook } from './support/webhooks.ts'

// The addresses to which webhooks are sent and refused: the actual address of the connection is checked.

const authority = createAuthority()
setDefaultCACertificates([...getCACertificates('default'), authority.cert])

const NOT_PUBLIC = 'the host has no public address'

type HttpsReceiver = { port: number; connections: string[]; paths: string[] }

/** A real HTTPS receiver on every address of this machine, with a certificate for some hosts. */
async function startHttpsReceiver(t: TestContext, hosts: string[]): Promise<HttpsReceiver> {
  const receiver: HttpsReceiver = { port: 0, connections: [], paths: [] }
  const { server, port } = await startHttps(t, {
    certificate: authority.issue(hosts),
    address: '0.0.0.0',
    answer: (request, response) => {
      receiver.paths.push(request.url ?? '')
      response.writeHead(200, { connection: 'close' }).end('thanks')
    },
  })
  server.on('connection', (socket: Socket) =>
    receiver.connections.push(`${socket.remoteAddress} to ${socket.localAddress}`),
  )
  receiver.port = port
  return receiver
}

suite('the addresses of host names', () => {
  // In this table, 127.0.0.2 stands for a public address. It is the only one that is allowed.
  const rows: [what: string, answer: string[] | 'server failure' | 'refused', error: string | null][] = [
    ['an allowed address', ['127.0.0.2'], null],
    ['this machine', ['127.0.0.1'], NOT_PUBLIC],
    ['this machine in IPv6', ['::1'], NOT_PUBLIC],
    ['0.0.0.0', ['0.0.0.0'], NOT_PUBLIC],
    ['::', ['::'], NOT_PUBLIC],
    ['a private network', ['10.0.0.1'], NOT_PUBLIC],
    ['another private network', ['192.168.1.1', '172.16.0.1'], NOT_PUBLIC],
    ['metadata', ['169.254.169.254'], NOT_PUBLIC],
    ['metadata in IPv6', ['fd00:ec2::254'], NOT_PUBLIC],
    ['metadata behind a public address', ['168.63.129.16'], NOT_PUBLIC],
    ['carrier-grade NAT', ['100.64.0.1'], NOT_PUBLIC],
    ['multicast', ['224.0.0.1', 'ff02::1'], NOT_PUBLIC],
    ['link-local in IPv6', ['fe80::1'], NOT_PUBLIC],
    ['IPv4-mapped', ['::ffff:127.0.0.1'], NOT_PUBLIC],
    ['IPv4-mapped metadata', ['::ffff:169.254.169.254'], NOT_PUBLIC],
    ['IPv4-compatible', ['::127.0.0.1'], NOT_PUBLIC],
    ['NAT64', ['64:ff9b::7f00:1'], NOT_PUBLIC],
    ['NAT64 of a network', ['64:ff9b:1::7f00:1'], NOT_PUBLIC],
    ['6to4', ['2002:7f00:1::'], NOT_PUBLIC],
    ['Teredo', ['2001:0:7f00:1::'], NOT_PUBLIC],
    ['ISATAP', ['2600::5efe:7f00:1'], NOT_PUBLIC],
    ['site-local', ['fec0::1'], NOT_PUBLIC],
    ['an allowed address among private ones', ['10.0.0.1', '127.0.0.1', '::1', '127.0.0.2'], null],
    ['nothing', [], 'the host name was not found'],
    ['a failure', 'server failure', 'the host name could not be looked up (ESERVFAIL)'],
    ['a refusal', 'refused', 'the host name could not be looked up (EREFUSED)'],
  ]
  test('the service connects only to allowed addresses, even if the name server returns others', async (t) => {
    const [names, receiver] = [await startNameServer(t), await startHttpsReceiver(t, ['hook.example'])]
    const settings = { webhookNameServers: [names.address], webhookAllowedNetworks: ['127.0.0.2/32'] }
    for (const [what, answer, error] of rows) {
      const { post } = createPoster(t, settings)
      receiver.connections.length = 0
      names.names.set('hook.example', answer)
      const result = await post(`https://hook.example:${receiver.port}/`)
      const expected = error === null ? ['acknowledged', 200, null] : ['unreachable', null, error]
      assert.deepEqual([result.outcome, result.httpStatus, result.error], expected, what)
      const dialled = error === null ? [`127.0.0.1 to 127.0.0.2`] : []
      assert.deepEqual(receiver.connections, dialled, what)
    }
  })

  test('an unknown host name, and an impossible one, have a clear reason', async (t) => {
    const names = await startNameServer(t)
    const { post } = createPoster(t, { webhookNameServers: [names.address] })
    for (const host of ['nobody.example', 'a..b', 'localhost.localdomain', `${'a'.repeat(64)}.example`]) {
      const { outcome, error } = await post(`https://${host}/`)
      assert.deepEqual([outcome, error], ['unreachable', 'the host name was not found'], host)
    }
  })

  test('addresses in URLs are also checked, in every notation, without a lookup', async (t) => {
    const names = await startNameServer(t)
    const receiver = await startHttpsReceiver(t, ['127.0.0.1'])
    const { post } = createPoster(t, { webhookNameServers: [names.address] })
    for (const host of [
      '127.0.0.1',
      '127.1',
      '0x7f000001',
      '2130706433',
      '017700000001',
      '１２７.0.0.1',
      '127.0.0.1.',
    ]) {
      const { outcome, error } = await post(`https://${host}:${receiver.port}/`)
      assert.deepEqual([outcome, error], ['unreachable', 'the URL must point to a public address'], host)
    }
    for (const host of ['[::1]', '[::ffff:127.0.0.1]', '[::127.0.0.1]', '[64:ff9b::7f00:1]', '0.0.0.0', 'localhost']) {
      const { outcome, error } = await post(`https://${host}:${receiver.port}/`)
      assert.deepEqual([outcome, error], ['unreachable', 'the URL must point to a public address'], host)
    }
    assert.deepEqual(names.asked, [])
    assert.deepEqual(receiver.connections, [])
  })

  test('localhost means this machine without a lookup, and no other name does', async (t) => {
    const [names, receiver] = [await startNameServer(t), await startReceiver(t)]
    const { port, pathname } = new URL(receiver.url)
    const { post } = createPoster(t, { allowsLocalWebhooks: true, webhookNameServers: [names.address] })
    names.names.set('localhost', ['127.0.0.9'])
    names.names.set('here.example', ['127.0.0.1'])
    assert.equal((await post(`http://localhost:${port}${pathname}`)).outcome, 'acknowledged')
    assert.deepEqual(names.asked, [])
    assert.equal((await post(`https://here.example:${port}/`)).error, NOT_PUBLIC)
    assert.equal(receiver.received.length, 1)
  })

  test('a name with a public address at the time of its setting, and a loopback address later, gets nothing', async (t) => {
    const [names, receiver] = [await startNameServer(t), await startHttpsReceiver(t, ['rebinding.example'])]
    const service = await startTestService(t, {
      settings: {
        allowsLocalWebhooks: false,
        webhookNameServers: [names.address],
        webhookAllowedNetworks: ['127.0.0.2/32'],
      },
    })
    const answers = [['127.0.0.2'], ['127.0.0.1']]
    names.names.set('rebinding.example', () => answers.shift() ?? ['127.0.0.1'])
    const sender = await newSender(service)
    await setWebhook(sender, `https://rebinding.example:${receiver.port}/hook`)
    for (let count = 0; count < 2; count++) {
      await triggerStatus(sender, (await sendPayment(sender)).id, 'IN_PROCESS')
      await service.deliverWebhooks()
    }
    const attempts = await attemptsOf(service.deps.sql, sender.id)
    assert.deepEqual(
      attempts.map(({ outcome, error }) => [outcome, error]),
      [
        ['acknowledged', null],
        ['unreachable', NOT_PUBLIC],
      ],
    )
    assert.deepEqual(receiver.connections, ['127.0.0.1 to 127.0.0.2'])
  })
})

test('an open connection was checked when it was established', async (t) => {
  const names = await startNameServer(t)
  const { server, port } = await startHttps(t, {
    certificate: authority.issue(['kept.example']),
    address: '127.0.0.2',
    answer: (_request, response) => response.end(),
  })
  let connectionCount = 0
  server.on('connection', () => ++connectionCount)
  const { post } = createPoster(t, {
    webhookNameServers: [names.address],
    webhookAllowedNetworks: ['127.0.0.2/32'],
  })
  names.names.set('kept.example', ['127.0.0.2'])
  const url = `https://kept.example:${port}/`
  for (let count = 0; count < 5; count++) {
    assert.equal((await post(url)).outcome, 'acknowledged')
    await nextTurn() // in terms of the event loop: a connection is free from then on
    names.names.set('kept.example', ['127.0.0.1'])
  }
  assert.equal(connectionCount, 1)
  assert.deepEqual(names.asked.sort(), ['A kept.example', 'AAAA kept.example'])
})

suite('fixed source addresses', () => {
  const sources = ['127.0.0.2', '127.0.0.3']

  test('webhooks use the source addresses in turn, by http and by https', async (t) => {
    const [names, https] = [await startNameServer(t), await startHttpsReceiver(t, ['hook.example'])]
    const receiver = await startReceiver(t)
    names.names.set('hook.example', ['127.0.0.1', '::1'])
    const { post } = createPoster(t, {
      allowsLocalWebhooks: true,
      webhookSourceAddresses: sources,
      webhookNameServers: [names.address],
      webhookAllowedNetworks: ['127.0.0.0/8', '::1/128'],
    })
    for (let count = 0; count < 4; count++) await post(receiver.url)
    assert.deepEqual(
      receiver.received.map(({ from }) => from),
      [...sources, ...sources],
    )
    for (let count = 0; count < 4; count++) await post(`https://hook.example:${https.port}/`)
    assert.deepEqual(
      https.connections,
      [...sources, ...sources].map((source) => `${source} to 127.0.0.1`),
    )
    assert.deepEqual([...new Set(names.asked)], ['A hook.example'], 'the other family is not looked up')
  })

  test('a host of the other family causes a clear reason', async (t) => {
    const names = await startNameServer(t)
    names.names.set('six.example', ['2606:4700::1'])
    const { post } = createPoster(t, { webhookSourceAddresses: sources, webhookNameServers: [names.address] })
    assert.equal(
      (await post('https://[2606:4700::1]/')).error,
      'the host has no IPv4 address, and webhooks leave from IPv4 only',
    )
    assert.equal((await post('https://six.example/')).error, 'the host name was not found')
  })

  test('with sources of both families, the matching one is used', async (t) => {
    const receiver = await startReceiver(t)
    const { port, pathname } = new URL(receiver.url)
    const { post } = createPoster(t, { allowsLocalWebhooks: true, webhookSourceAddresses: ['::1', '127.0.0.3'] })
    for (let count = 0; count < 2; count++) await post(`http://127.0.0.1:${port}${pathname}`)
    assert.deepEqual(
      receiver.received.map(({ from }) => from),
      ['127.0.0.3', '127.0.0.3'],
    )
  })

  test('an address that this machine does not have causes a clear reason', async (t) => {
    const receiver = await startReceiver(t)
    const { post } = createPoster(t, { allowsLocalWebhooks: true, webhookSourceAddresses: ['192.0.2.77'] })
    const { outcome, error } = await post(receiver.url)
    assert.deepEqual([outcome, error], ['unreachable', 'no connection could be made from the address of this service'])
  })
})

test('proxies of the environment are not used, and the environment cannot turn TLS off', async (t) => {
  const used: string[] = []
  const proxy = createHttpServer((request, response) => {
    used.push(request.url ?? '')
    response.end()
  })
  proxy.on('connect', (request, socket) => {
    used.push(request.url ?? '')
    socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n')
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    proxy.closeAllConnections()
    proxy.close()
  })
  const [receiver, https] = [await startReceiver(t), await startHttpsReceiver(t, ['localhost'])]
  const proxyUrl = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
  const urls = [receiver.url, `https://localhost:${https.port}/`]
  const output = await runScript(
    `
    import { createPoster } from ${JSON.stringify(fileURLToPath(new URL('./support/webhook-post.ts', import.meta.url)))}
    const ends = []
    const { post } = createPoster({ after: (end) => ends.push(end) }, { allowsLocalWebhooks: true })
    for (const url of ${JSON.stringify(urls)}) {
      const { outcome, error } = await post(url)
      console.log(outcome + ': ' + error)
    }
    for (const end of ends) await end()
    `,
    {
      NODE_USE_ENV_PROXY: '1',
      NODE_TLS_REJECT_UNAUTHORIZED: '0',
      ...Object.fromEntries(
        ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'http_proxy', 'https_proxy'].map((name) => [name, proxyUrl]),
      ),
    },
  )
  assert.deepEqual(output.trim().split('\n'), [
    'acknowledged: null',
    'unreachable: the certificate comes from no known authority',
  ])
  assert.deepEqual(used, [])
  assert.equal(receiver.received.length, 1)
  assert.deepEqual(https.paths, [])
})

/** Runs a script in a separate process. @returns its output */
function runScript(script: string, variables: Record<string, string>): Promise<string> {
  const child = spawn(process.execPath, ['--no-warnings', '--input-type=module', '-e', script], {
    env: { ...process.env, NO_PROXY: '', no_proxy: '', ...variables },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  return new Promise((resolve, reject) => {
    let output = ''
    child.stdout.on('data', (chunk) => {
      output += chunk
    })
    child.on('error', reject)
    child.on('close', () => resolve(output))
  })
}
