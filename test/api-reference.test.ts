import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { Ajv2020, type AnySchema } from 'ajv/dist/2020.js'
import { apiErrors } from '../src/foundation/core/errors.ts'
import { guides, guideUrl } from '../src/foundation/http/reference/guide-table.ts'
import { PACKAGE_NAMES, packPackage } from '../src/foundation/http/reference/served-packages.ts'
import { isCalendarDate } from '../src/foundation/lib/clock.ts'
import { isEmail } from '../src/foundation/lib/text/email.ts'
import { apiDocument, requireDocumentedError, resolved } from './support/documented.ts'
import { startTestService } from './support/service.ts'

// biome-ignore lint/suspicious/noExplicitAny: the document is looked at field by field
type Operation = any

const ajv = new Ajv2020({ strict: false, formats: { email: isEmail, date: isCalendarDate, binary: true } })
const operations: [name: string, operation: Operation][] = Object.entries(resolved(apiDocument.paths)).flatMap(
  ([path, methods]) =>
    Object.entries(methods as Record<string, Operation>).map(([method, operation]): [string, Operation] => [
      `${method.toUpperCase()} ${path}`,
      operation,
    ]),
)

const lacking = (lacks: (operation: Operation) => boolean) =>
  operations.filter(([, operation]) => lacks(operation)).map(([name]) => name)

const problemOf = (schema: AnySchema, value: unknown) => (ajv.validate(schema, value) ? null : ajv.errorsText())

test('every operation has a summary, a description of whole sentences, and a described tag', () => {
  assert.ok(operations.length > 90)
  assert.deepEqual(
    lacking(({ summary, description = '' }) => !/^[A-Z].*[^.]$/.test(summary) || !/^[A-Z].{20,}\.$/s.test(description)),
    [],
  )
  const tags = apiDocument.tags.map(({ name }: { name: string }) => name)
  assert.deepEqual(
    lacking(({ tags: [tag] }) => !tags.includes(tag)),
    [],
  )
})

test('every operation has a unique name: a verb and a noun', () => {
  const names = operations.map(([, { operationId }]) => operationId)
  assert.deepEqual(
    names.filter((name, index) => names.indexOf(name) !== index),
    [],
  )
  assert.deepEqual(
    lacking(({ operationId }) => !/^[a-z]+([A-Z][a-z]+)+$|^search$/.test(operationId)),
    [],
  )
})

test('an object that several operations share is a named schema', () => {
  const places = Map.groupBy(
    objectsIn(apiDocument.paths, 'paths').concat(objectsIn(apiDocument.components.schemas, 'schemas')),
    ({ text }) => text,
  )
  const unnamed = [...places.values()].filter(
    (uses) => uses.length > 1 && uses.some(({ path }) => !/^schemas\/\w+$/.test(path)),
  )
  assert.deepEqual(
    unnamed.map((uses) => uses.map(({ path }) => path)),
    [],
  )
})

/** The object schemas with properties in a part of the document. */
function objectsIn(part: Operation, path: string): { path: string; text: string }[] {
  if (typeof part !== 'object' || part === null) return []
  const { description, examples, ...schema } = part
  const isObject =
    part.type === 'object' && typeof part.properties === 'object' && Object.keys(part.properties).length > 0
  return [
    ...(isObject ? [{ path, text: JSON.stringify(schema) }] : []),
    ...Object.entries(part).flatMap(([name, member]) =>
      name === 'examples' ? [] : objectsIn(member, `${path}/${name}`),
    ),
  ]
}

test('every operation id is a valid function name in each language, and only files with bytes are binary', () => {
  assert.deepEqual(
    lacking(({ operationId }) => !/^[a-z][A-Za-z]+$/.test(operationId)),
    [],
  )
  const csv = apiDocument.paths['/v3/export'].get.responses['200'].content['text/csv']
  assert.deepEqual(csv.schema, { type: 'string' })
})

/** The example of a list is that of its items. */
function exampleProblem({ schema, example }: Operation): string | null {
  const lists = Object.values<Operation>(schema.properties ?? {}).filter(({ items }) => items?.examples)
  const [holder, given] = lists.length > 0 && !schema.examples ? [lists[0].items, undefined] : [schema, example]
  const value = given ?? holder.examples?.[0]
  return value === undefined ? 'none' : problemOf(holder, value)
}

test('every request, parameter and JSON answer has an example that its schema accepts', () => {
  const problems = operations.flatMap(([name, { parameters = [], requestBody, responses }]) => {
    const answers = Object.entries(responses).filter(([status]) => status < '300')
    assert.equal(answers.length, 1, name)
    const parts = [requestBody, ...answers.map(([, answer]) => answer)].map(
      (part) => part?.content?.['application/json'],
    )
    const examples = [...parts, ...parameters.filter(({ in: place }: { in: string }) => place === 'path')]
    return examples
      .filter((part) => part !== undefined)
      .map((part) => exampleProblem(part))
      .filter((problem) => problem !== null)
      .map((problem) => `${name}: ${problem}`)
  })
  assert.deepEqual(problems, [])
})

test('every operation lists its possible errors, each with the status from the table of errors', () => {
  const { schemas } = apiDocument.components
  for (const [name, operation] of operations) {
    assert.equal(operation.responses.default, undefined, name)
    const codes = Object.keys(operation.responses)
      .filter((status) => status >= '400')
      .flatMap((status) => {
        const answer: Operation = operation.responses[status]
        const codes = answer.content['application/json'].schema.properties.code.enum as 'not_found'[]
        for (const code of codes) {
          const known = String(apiErrors[code][0])
          assert.ok(status === known || status === `${known[0]}XX`, name)
          assert.equal(schemas.ErrorCode['x-enumDescriptions'][code], apiErrors[code].join(': '))
        }
        return codes as string[]
      })
    for (const code of ['invalid_request', 'unauthorized', 'rate_limited', 'internal_error']) {
      assert.ok(codes.includes(code), `${name}: ${code}`)
    }
    if (name.includes('{'))
      assert.ok(
        codes.some((code) => /_?not_found$/.test(code)),
        name,
      )
  }
})

test('the clients of all tests refuse an error that an operation does not document', () => {
  requireDocumentedError('POST', '/v3/bank', { status: 400, code: 'bank_exists' })
  assert.throws(
    () => requireDocumentedError('GET', '/v3/bank?page=2', { status: 400, code: 'bank_exists' }),
    /listBanks/,
  )
})

describe('the documents of a service', async () => {
  const service = await startTestService({ after })
  const { get } = service.as('')
  const linksOf = (html: string) => [...html.matchAll(/(?:href="|\]\()(\/[^")\s]*)/g)].map(([, link]) => link as string)

  async function refuseDeadLinks(text: string): Promise<void> {
    for (const link of new Set(linksOf(text))) {
      const [path = '', anchor] = link.split('#')
      const { status, text: page } = await get(path)
      assert.equal(status, 200, link)
      if (anchor) assert.ok(page.includes(`id="${anchor}"`), link)
    }
  }

  test('the API reference has a header that leads back, and to the guides', async () => {
    const { text } = await get('/docs/')
    assert.match(text, /<header class="remit-header"><a class="remit-home" href="\/">/)
    await refuseDeadLinks(text)
  })

  test('the document links the guides and the magic values', async () => {
    const { body, text } = await get('/openapi.json')
    assert.deepEqual(body, { ...apiDocument, servers: body.servers })
    for (const name of Object.keys(guides)) assert.ok(text.includes(guideUrl(name as 'money')), name)
    assert.ok(text.includes('/docs/guides/money#magic-values-of-sandbox-and-demo'))
    await refuseDeadLinks([body.info.description, ...body.tags.map(({ description }: Operation) => description)].join())
  })

  test('/llms.txt is an index in the format of llmstxt.org, and all its links work', async () => {
    const { text, headers } = await get('/llms.txt')
    assert.match(headers.get('content-type') ?? '', /^text\/plain/)
    assert.match(
      text,
      /^# Remit\n\n> .*\n\n## API\n\n- \[.*\]\(.*\): .*\n\n?.*## Guides\n\n(- \[.*\]\(.*\.md\): .*\n)+$/s,
    )
    assert.ok(text.length < 3_000, 'it is short')
    await refuseDeadLinks(text)
  })

  for (const name of PACKAGE_NAMES) {
    test(`the service offers ${name} as a package`, async () => {
      const response = await fetch(`${service.baseUrl}/packages/${name}.tgz`)
      assert.deepEqual([response.status, response.headers.get('content-type')], [200, 'application/gzip'])
      assert.ok(Buffer.from(await response.arrayBuffer()).equals((await packPackage(name)) as Buffer))
    })
  }

  test('the search finds sections of the guides, and shows a query as text', async () => {
    const found = await get('/docs/search?q=enter%20AMOUNTS')
    assert.match(found.text, /<a href="\/docs\/guides\/quickstart#in-the-browser">In the browser<\/a>/)
    await refuseDeadLinks(found.text)
    const none = await get(`/docs/search?q=${encodeURIComponent('<b>"nothing"')}`)
    assert.match(none.text, /No results/)
    assert.ok(!none.text.includes('<b>'))
  })

  for (const name of Object.keys(guides) as (keyof typeof guides)[]) {
    test(`the guide ${name} is a page with working links, and Markdown for language models`, async () => {
      const page = await get(guideUrl(name))
      assert.match(page.text, /<h1 id=/)
      assert.match(page.headers.get('content-security-policy') ?? '', /default-src 'none'/)
      await refuseDeadLinks(page.text)
      const { text, headers } = await get(`${guideUrl(name)}.md`)
      assert.equal(headers.get('content-type'), 'text/markdown; charset=utf-8')
      assert.match(text, /^# /)
    })
  }
})
