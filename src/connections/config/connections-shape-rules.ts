import type { ErrorObject } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import type { TSchema } from 'typebox'
import { isCalendarDate } from '../../foundation/lib/clock.ts'
import { connectionsSchema } from './connections-schema-rules.ts'
import type { Path, Problem } from './connections-syntax-rules.ts'

const ajv = new Ajv2020({ allErrors: true, verbose: true, strict: true, strictTypes: false })
ajv.addFormat('date', isCalendarDate)
ajv.addKeyword('errorMessage') // used by `problemOf` and by editors

/** Compiles a schema. No problem repeats a value, because the value may be a secret in the wrong place. */
export function createShapeCheck(schema: TSchema): (value: unknown) => Problem[] {
  const validate = ajv.compile(schema)
  return (value) => {
    if (validate(value)) return []
    return (validate.errors ?? []).filter(({ keyword }) => keyword !== 'if').map(problemOf)
  }
}

/** Finds the problems in `connections.json` according to its schema. */
export const shapeProblems = createShapeCheck(connectionsSchema)

function problemOf({ instancePath, keyword, params, parentSchema }: ErrorObject): Problem {
  const path = pathOf(instancePath)
  switch (keyword) {
    case 'required':
      return { path: [...path, params.missingProperty], problem: 'is missing' }
    case 'additionalProperties': {
      const keys = Object.keys(parentSchema?.properties ?? {}).join(', ')
      return { path: [...path, params.additionalProperty], problem: `is not a key here. Use ${keys}` }
    }
    case 'uniqueItems':
      return { path: [...path, Math.max(params.i, params.j)], problem: 'is given twice' }
    case 'minItems':
    case 'minProperties':
      return { path, problem: parentSchema?.errorMessage ?? 'must not be empty' }
    case 'maxItems':
      return { path, problem: `must have at most ${params.limit} items` }
    case 'type':
      return { path, problem: parentSchema?.errorMessage ?? `must be ${typeWords[params.type] ?? params.type}` }
    default:
      return { path, problem: parentSchema?.errorMessage ?? 'is invalid' }
  }
}

const typeWords: Record<string, string> = { string: 'a text', array: 'a list', object: 'an object' }

/** Returns the steps of a JSON pointer (RFC 6901). */
const pathOf = (pointer: string): Path =>
  pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
    .map((step) => (/^\d+$/.test(step) ? Number(step) : step))
