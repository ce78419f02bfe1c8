import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ErrorDetail, XmlDocument, XsdValidator } from 'libxml2-wasm'
import { faultMessage, type SchemaFault } from './schema-fault-rules.ts'

type LibXml2 = typeof import('libxml2-wasm')

/** The schemas of a folder, which check messages before they are sent. `dispose` frees them. */
export type MessageSchemas = {
  /** The namespaces that have a schema, sorted. */
  namespaces: readonly string[]
  /**
   * Validates a message against each schema of its namespace.
   *
   * @throws InvalidMessage
   */
  validate(xml: string): void
  dispose(): void
}

/**
 * A message that a schema refuses, or for which there is no schema. It must not be sent. The error texts contain no value of the message.
 */
export class InvalidMessage extends Error {
  override name = 'InvalidMessage'
  readonly faults: readonly SchemaFault[]
  constructor(message: string, faults: readonly SchemaFault[] = []) {
    super(message)
    this.faults = faults
  }
}

/** A file that cannot be used as a schema. */
export class UnusableSchema extends Error {
  override name = 'UnusableSchema'
}

type Schema = { file: string; namespace: string; validator: XsdValidator }

/**
 * Reads all XML schemas (.xsd) of a folder: those that the bank provides, or those of ISO. Nothing is fetched over the network, and a
 * schema cannot include other files.
 *
 * @throws UnusableSchema if a file is not a schema, or the npm package libxml2-wasm is missing
 */
export async function openMessageSchemas(folder: string): Promise<MessageSchemas> {
  const libxml2 = await loadLibXml2()
  const files = (await readdir(folder)).filter((name) => /\.xsd$/i.test(name)).sort()
  const schemas: Schema[] = []
  const dispose = () => {
    for (const { validator } of schemas.splice(0)) validator.dispose()
  }
  try {
    for (const file of files) schemas.push(readSchema(libxml2, { file, bytes: await readFile(join(folder, file)) }))
  } catch (error) {
    dispose()
    throw error
  }
  return {
    namespaces: [...new Set(schemas.map(({ namespace }) => namespace))].sort(),
    validate: (xml) => validate(libxml2, schemas, xml),
    dispose,
  }
}

/** Loads the optional dependency, which only connections with ISO 20022 need. */
const loadLibXml2 = (): Promise<LibXml2> =>
  import('libxml2-wasm').catch(() => {
    throw new UnusableSchema('ISO 20022 needs the npm package libxml2-wasm. Run "npm install libxml2-wasm@0.7".')
  })

function readSchema(libxml2: LibXml2, { file, bytes }: { file: string; bytes: Buffer }): Schema {
  let document: XmlDocument | null = null
  try {
    document = libxml2.XmlDocument.fromBuffer(bytes)
    const namespace = document.root.attr('targetNamespace')?.value
    if (document.root.name !== 'schema' || !namespace)
      throw new UnusableSchema(`${file} is no XML schema with a namespace.`)
    return { file, namespace, validator: libxml2.XsdValidator.fromDoc(document) }
  } catch (error) {
    if (error instanceof libxml2.XmlError)
      throw new UnusableSchema(`${file} is no XML schema that can be used: ${error.message.trim()}`)
    throw error
  } finally {
    document?.dispose()
  }
}

function validate(libxml2: LibXml2, schemas: readonly Schema[], xml: string): void {
  const document = libxml2.XmlDocument.fromString(xml)
  try {
    const namespace = document.root.namespaceUri
    const own = schemas.filter((schema) => schema.namespace === namespace)
    if (own.length === 0) throw new InvalidMessage(`There is no schema for ${namespace}.`)
    for (const { file, validator } of own) requireValid(libxml2, { document, file, validator })
  } finally {
    document.dispose()
  }
}

function requireValid(
  libxml2: LibXml2,
  { document, file, validator }: { document: XmlDocument; file: string; validator: XsdValidator },
): void {
  try {
    validator.validate(document)
  } catch (error) {
    if (!(error instanceof libxml2.XmlValidateError)) throw error
    const faults = error.details.map((detail) => faultOf(libxml2, { document, schema: file, detail }))
    const [first] = faults
    throw new InvalidMessage(`${first?.place ?? file}: ${first?.message} (${file})`, faults)
  }
}

/** Describes a schema error: the path of the element in the message, and the order that contains the element. */
function faultOf(
  { XmlElement }: LibXml2,
  {
    document,
    schema,
    detail: { message, line, xpath },
  }: { document: XmlDocument; schema: string; detail: ErrorDetail },
): SchemaFault {
  const names: string[] = []
  let legId: string | null = null
  let node = xpath ? document.get(xpath) : null
  while (node instanceof XmlElement) {
    names.unshift(node.name)
    if (node.name === 'CdtTrfTxInf') legId = node.get('*/*[local-name()="EndToEndId"]')?.content ?? null
    node = node.parent
  }
  return { schema, place: names.join('/'), line, legId, message: faultMessage(message) }
}
