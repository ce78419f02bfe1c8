// A sample webhook receiver: it verifies the signature of each webhook and prints it. It needs only Node.js:
//
//   node examples/receiver.mjs
//
// WEBHOOK_KEY is the signing key. The default is the key in .remit/sandbox.json. PORT is the port of this program.

import { createHmac, timingSafeEqual } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'

const { PORT = '3000', WEBHOOK_KEY = JSON.parse(readFileSync('.remit/sandbox.json', 'utf8')).webhook_key } = process.env

/** The signature covers the raw bytes of the body: verify it before parsing. */
function isAuthentic(body, header = '') {
  const [, nonce, signature] = /^nonce=(\d+),signature=([0-9a-f]{64})$/.exec(header) ?? []
  if (signature === undefined) return false
  const digest = createHmac('sha256', WEBHOOK_KEY)
    .update(Buffer.concat([body, Buffer.from(nonce)]))
    .digest()
  return timingSafeEqual(digest, Buffer.from(signature, 'hex'))
}

const server = createServer(async (request, response) => {
  const chunks = []
  for await (const chunk of request) chunks.push(chunk)
  const body = Buffer.concat(chunks)
  if (!isAuthentic(body, request.headers.signature)) return response.writeHead(401).end()
  console.log(`received ${body}`)
  response.writeHead(204).end()
})

server.listen(Number(PORT), 'localhost', () => console.log(`Receiving at http://localhost:${PORT}/hook`))
