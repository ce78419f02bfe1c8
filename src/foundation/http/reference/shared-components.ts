import { isDeepStrictEqual } from 'node:util'
import type { ErrorCode } from '../../core/errors.ts'
import type { Answer, ApiDocument, Operation, Schema } from './document-types.ts'
import { errorResponseName } from './error-responses.ts'

/**
 * Moves the parts that several operations share into `components`: schemas with a title, parameters, responses. A request body without a
 * title is named after its operation.
 */
export function shareComponents(document: ApiDocument): ApiDocument {
  for (const operation of operationsOf(document)) nameBody(operation)
  const schemas: NamedSchemas = new Map()
  const { paths = {}, webhooks = {}, components, ...rest } = moveNamedSchemas(document, schemas) as ApiDocument
  const operations = operationsOf({ paths, webhooks })
  const parameters = shareParts(
    operations.map(({ parameters = [] }) => parameters),
    {
      section: 'parameters',
      nameOf: (_place, { name }) => pascal(name),
      keyOf: ({ example, ...parameter }) => JSON.stringify(parameter),
    },
  )
  const responses = shareParts(
    operations.map(({ responses }) => responses),
    { section: 'responses', nameOf: nameOfResponse, keyOf: JSON.stringify },
  )
  return {
    ...rest,
    components: {
      ...components,
      schemas: sorted({ ...components?.schemas, ...componentsOf(schemas) }),
      parameters,
      responses,
    },
    paths,
    webhooks,
  }
}

const operationsOf = ({ paths = {}, webhooks = {} }: ApiDocument): Operation[] =>
  [paths, webhooks].flatMap((items) => Object.values(items).flatMap((methods) => Object.values(methods)))

function nameBody({ operationId, requestBody }: Operation): void {
  const schema = requestBody?.content['application/json']?.schema
  if (schema && operationId !== undefined) schema.title ??= `${pascal(operationId)}Request`
}

/** The schemas that have a title, with the references to each. */
type NamedSchemas = Map<string, { schema: Schema; references: Schema[]; examples?: unknown }>

/** Returns a copy with references in place of the schemas that have a title. @throws for different schemas with the same title */
function moveNamedSchemas(part: unknown, schemas: NamedSchemas): unknown {
  if (Array.isArray(part)) return part.map((item) => moveNamedSchemas(item, schemas))
  if (typeof part !== 'object' || part === null) return part
  const copy: Schema = Object.fromEntries(
    Object.entries(part).map(([name, member]) => [
      name,
      name === 'examples' ? member : moveNamedSchemas(member, schemas),
    ]),
  )
  if (typeof copy.title !== 'string' || (copy.type === undefined && copy.anyOf === undefined)) return copy
  const { title, description, examples, ...given } = copy
  const isNullable = Array.isArray(given.type)
  const schema = isNullable ? withoutNull(given) : given
  const known = schemas.get(title) ?? { schema, references: [] }
  if (!isDeepStrictEqual(known.schema, schema)) {
    throw new Error(`different schemas have the title ${title}: ${JSON.stringify([known.schema, schema])}`)
  }
  const $ref = `#/components/schemas/${title}`
  const reference = {
    ...(isNullable ? { anyOf: [{ $ref }, { type: 'null' }] } : { $ref }),
    ...(description !== undefined && { description }),
  }
  schemas.set(title, { schema, references: [...known.references, reference], examples: known.examples ?? examples })
  return reference
}

function withoutNull({ type, ...schema }: Schema): Schema {
  const values = schema.enum as unknown[] | undefined
  return { type: (type as string[])[0], ...schema, ...(values && { enum: values.filter((value) => value !== null) }) }
}

/**
 * Returns the schemas as components. A component gets the description that most of its references have. The other references keep their
 * own.
 */
const componentsOf = (schemas: NamedSchemas): Record<string, Schema> =>
  Object.fromEntries(
    [...schemas].map(([title, { schema, references, examples }]) => {
      const groups = [...Map.groupBy(references, ({ description }) => description)]
      const [[description, most] = []] = groups.sort(([, some], [, others]) => others.length - some.length)
      for (const reference of most ?? []) delete reference.description
      return [
        title,
        { ...schema, ...(description !== undefined && { description }), ...(examples !== undefined && { examples }) },
      ]
    }),
  )

type Rules<Part> = { section: string; nameOf(place: string, part: Part): string | null; keyOf(part: Part): string }

/**
 * Replaces equal parts by references. Of different parts with the same name, only the most frequent one is shared.
 * @returns the components by name
 */
function shareParts<Part extends object>(
  holders: readonly (Part[] | Record<string, Part>)[],
  { section, nameOf, keyOf }: Rules<Part>,
): Record<string, Part> {
  const uses = holders.flatMap((holder) =>
    Object.entries(holder).map(([place, part]) => ({
      holder,
      place,
      part,
      name: nameOf(place, part),
      key: keyOf(part),
    })),
  )
  const components: Record<string, Part> = {}
  for (const [name, sameName] of Map.groupBy(uses, ({ name }) => name)) {
    const groups = [...Map.groupBy(sameName, ({ key }) => key).values()]
    const [first, ...others] = groups.sort((some, others) => others.length - some.length)[0] ?? []
    if (name === null || !first || others.length === 0) continue
    components[name] = first.part
    const reference = { $ref: `#/components/${section}/${name}` }
    for (const { holder, place } of [first, ...others]) Object.assign(holder, { [place]: reference })
  }
  return sorted(components)
}

/** Names a response. An error is named after its codes, and another response after its schema. */
function nameOfResponse(status: string, { content }: Answer): string | null {
  const schema = content?.['application/json']?.schema as ErrorSchema | undefined
  const codes = schema?.allOf && schema.properties?.code.enum
  return codes ? pascal(errorResponseName(status, codes)) : (schema?.$ref?.split('/').at(-1) ?? null)
}

type ErrorSchema = { $ref?: string; allOf?: unknown[]; properties?: { code: { enum: [ErrorCode, ...ErrorCode[]] } } }

const sorted = <Value>(members: Record<string, Value>): Record<string, Value> =>
  Object.fromEntries(Object.entries(members).sort(([one], [other]) => (one < other ? -1 : 1)))

/** Converts a name: `idempotency-key` → `IdempotencyKey`. */
const pascal = (name: string): string =>
  name.replaceAll(/(?:^|[^A-Za-z0-9]+)([A-Za-z0-9])/g, (_match, letter: string) => letter.toUpperCase())
