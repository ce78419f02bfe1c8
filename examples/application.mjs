// A sample application that sends one check from the account of each person who connects it. It needs only Node.js:
//
//   node examples/application.mjs
//
// It reads the client ID and the client secret from CLIENT_ID and CLIENT_SECRET, or asks for them. AUTH_URL is the address of Remit,
// and PORT the port of this program.

import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import { createInterface } from 'node:readline'

const { AUTH_URL = 'http://localhost:4000', PORT = '3000' } = process.env
const { CLIENT_ID, CLIENT_SECRET } = process.env.CLIENT_ID ? process.env : await ask()
if (!CLIENT_ID || !CLIENT_SECRET) throw new Error('The client ID and the client secret are shown under "Applications".')

async function ask() {
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  const lines = terminal[Symbol.asyncIterator]()
  const answers = []
  for (const question of ['Client ID: ', 'Client secret: ']) {
    terminal.setPrompt(question)
    terminal.prompt()
    answers.push((await lines.next()).value?.trim())
  }
  terminal.close()
  return { CLIENT_ID: answers[0], CLIENT_SECRET: answers[1] }
}

const redirectUri = `http://localhost:${PORT}/callback`
/** The `state` values of the authorization requests. A callback with an unknown value is refused. */
const states = new Set()

/** Step 1: redirect the browser to Remit, where the account holder decides. */
function connect() {
  const state = randomBytes(16).toString('hex')
  states.add(state)
  const query = { client_id: CLIENT_ID, redirect_uri: redirectUri, response_type: 'code', scope: 'single-use', state }
  return `${AUTH_URL}/oauth/authorize?${new URLSearchParams(query)}`
}

/** Step 2: the browser returns with a code. Exchange it for tokens. */
async function exchange(code) {
  const form = {
    grant_type: 'authorization_code',
    client_id: CLIENT_ID,
    client_secret: CLIENT_SECRET,
    scope: 'single-use',
    redirect_uri: redirectUri,
    code,
  }
  return answerOf(
    await fetch(`${AUTH_URL}/web/v1/auth/oauth/token`, { method: 'POST', body: new URLSearchParams(form) }),
  )
}

/** Step 3: send the check with the access token. */
async function sendCheck({ access_token: accessToken }) {
  const response = await fetch(`${AUTH_URL}/v3/check/digital`, {
    method: 'POST',
    headers: { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ amount: 12.5, name: 'Bob Recipient', recipient: 'bob@example.com' }),
  })
  return answerOf(response)
}

async function answerOf(response) {
  const body = await response.json()
  if (!response.ok) throw new Error(body.message ?? `${body.error}: ${body.error_description}`)
  return body
}

async function answer(url) {
  const { pathname, searchParams: query } = url
  if (pathname === '/') return { status: 302, headers: { location: connect() } }
  if (pathname !== '/callback') return { status: 404, text: 'Not here.' }
  if (!states.delete(query.get('state'))) return { status: 400, text: 'This was not asked for.' }
  if (query.has('error')) return { status: 200, text: `Not connected: ${query.get('error')}` }
  const check = await sendCheck(await exchange(query.get('code')))
  return {
    status: 200,
    text: `Check ${check.number} over $${check.amount.toFixed(2)} to ${check.name}: ${check.status}`,
  }
}

const server = createServer(async (request, response) => {
  const page = await answer(new URL(request.url, redirectUri)).catch(({ message: text }) => ({ status: 502, text }))
  response.writeHead(page.status, { 'content-type': 'text/plain; charset=utf-8', ...page.headers }).end(page.text)
})

server.listen(Number(PORT), 'localhost', () => console.log(`Open http://localhost:${PORT}`))
