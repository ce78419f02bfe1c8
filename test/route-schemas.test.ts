import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError } from '../src/foundation/core/errors.ts'
import { buildSerializer } from '../src/foundation/http/serialization.ts'
import { validatorCompiler } from '../src/foundation/http/validation.ts'
import { sandboxRoutes } from './support/generated.ts'

// A service compiles a schema when a request needs it, so an invalid schema would be noticed late.

test('the schemas of every route can be compiled', () => {
  for (const { method, url, spec } of sandboxRoutes()) {
    const name = `${method} ${url}`
    const parts = { body: spec.body, params: spec.params, querystring: spec.query }
    for (const [httpPart, schema] of Object.entries(parts)) {
      if (schema) assert.doesNotThrow(() => validateAnything(schema, httpPart), `${httpPart} of ${name}`)
    }
    const { answer } = spec
    if (answer) assert.doesNotThrow(() => buildSerializer(answer), `answer of ${name}`)
  }
})

/** @throws only if the schema cannot be compiled */
function validateAnything(schema: object, httpPart: string): void {
  const validate = validatorCompiler({ schema, httpPart } as never) as (value: unknown) => unknown
  try {
    validate({})
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
  }
}
