import { SaxesParser } from 'saxes'
import { FrameProblem } from './text-line-rules.ts'

/** An XML element with its content. Names have no prefix. */
export type XmlNode = {
  name: string
  /** The path, such as `Document/BkToCstmrStmt/Stmt[2]/Ntry[5]`. The numbers count elements of the same name. */
  path: string
  line: number
  attributes: Readonly<Record<string, string>>
  text: string
  children: XmlNode[]
}

export type XmlHandler = {
  open(node: XmlNode): void
  /** Handles the end of an element. @returns whether its parent keeps the element */
  close(node: XmlNode, depth: number): boolean
  /** Reports that a part of the text is not valid XML, although its elements can be read. */
  damage(place: string, message: string): void
}

export type XmlStream = { write(text: string): void; end(): void }

const MAX_DEPTH = 64
/** The maximum number of elements that are kept at the same time. */
const MAX_NODES = 500_000
/** The maximum length of the text between two tags, of a comment, or of the text before the first element. */
const MAX_SILENCE = 1_000_000
const PIECE = 65_536

/** Matches errors inside a text. Elements can still be distinguished after them. */
const HARMLESS =
  /^(undefined entity|malformed character entity|disallowed character|empty entity name|disallowed character in entity name)\.$/

/**
 * Reads XML in pieces, with limits on depth, size and text. A document type is refused, so no entity can be defined or fetched.
 *
 * @throws FrameProblem if the text is not well-formed or exceeds a limit
 */
export function createXmlStream(handler: XmlHandler): XmlStream {
  const parser = new SaxesParser({ xmlns: false })
  const stack: XmlNode[] = []
  const counts: Map<string, number>[] = [new Map()]
  let nodes = 0
  let isBegun = false
  let waiting = ''
  let silence = 0
  const place = () => `line ${parser.line}${stack.length > 0 ? `: ${stack.at(-1)?.path}` : ''}`
  const refuse = (message: string): never => {
    throw new FrameProblem(place(), message)
  }
  parser.on('doctype', () => refuse('a document type (DOCTYPE) is not allowed'))
  parser.on('error', ({ message }) => {
    const reason = message.replace(/^\d+:\d+: /, '')
    if (!HARMLESS.test(reason))
      refuse(`the file is not well-formed XML: ${reason.replace(/\.$/, '').replace(/:.*$/s, '')}`)
    handler.damage(place(), 'a text has a character or an entity that XML does not have')
  })
  parser.on('opentag', ({ name: given, attributes }) => {
    silence = 0
    if (stack.length >= MAX_DEPTH) refuse(`more than ${MAX_DEPTH} elements are nested`)
    if (++nodes > MAX_NODES) refuse(`an element contains more than ${MAX_NODES.toLocaleString('en-US')} others`)
    const name = given.slice(given.indexOf(':') + 1)
    const siblings = counts.at(-1) as Map<string, number>
    const nth = (siblings.get(name) ?? 0) + 1
    siblings.set(name, nth)
    counts.push(new Map())
    const parent = stack.at(-1)
    // An element with child elements has no text of its own, only line ends between them.
    if (parent) parent.text = ''
    const path = `${parent ? `${parent.path}/` : ''}${name}${nth > 1 ? `[${nth}]` : ''}`
    const node = { name, path, line: parser.line, attributes, text: '', children: [] }
    stack.push(node)
    handler.open(node)
  })
  const addText = (text: string) => {
    silence = 0
    const node = stack.at(-1)
    if (node) node.text += text
  }
  parser.on('text', addText)
  parser.on('cdata', addText)
  parser.on('closetag', () => {
    silence = 0
    counts.pop()
    const node = stack.pop() as XmlNode
    const parent = stack.at(-1)
    if (handler.close(node, stack.length)) parent?.children.push(node)
    else nodes -= sizeOf(node)
  })
  const feed = (text: string) => {
    for (let at = 0; at < text.length; at += PIECE) {
      const piece = text.slice(at, at + PIECE)
      silence += piece.length
      parser.write(piece)
      if (silence > MAX_SILENCE) refuse(`a text is longer than ${MAX_SILENCE.toLocaleString('en-US')} characters`)
    }
  }
  return {
    write(given) {
      // Some banks send an empty line before the XML declaration.
      const text = isBegun ? waiting + given : given.trimStart()
      isBegun ||= text !== ''
      const end = /&#?\w{0,20}$/.exec(text)?.index ?? text.length
      waiting = text.slice(end)
      feed(text.slice(0, end).replace(STRAY, '&amp;'))
    },
    end() {
      feed(waiting.replace(STRAY, '&amp;'))
      parser.close()
    },
  }
}

/**
 * Matches an ampersand that begins no entity, which is the most frequent error in the XML of banks. Without a correction, the parser would
 * skip everything up to the next semicolon.
 */
const STRAY = /&(?!#?\w{1,20};)/g

const sizeOf = ({ children }: XmlNode): number => children.reduce((sum, child) => sum + sizeOf(child), 1)

/** Returns the element at a path below a node: the first one of each name. */
export function nodeAt(node: XmlNode | null | undefined, path: string): XmlNode | null {
  let found: XmlNode | null | undefined = node
  for (const name of path.split('/')) found = found?.children.find((child) => child.name === name)
  return found ?? null
}

/** Returns the trimmed text of the element at a path. Returns an empty text if there is none. */
export const textAt = (node: XmlNode | null | undefined, path: string): string => nodeAt(node, path)?.text.trim() ?? ''

/** Returns the elements with a name directly below a node. */
export const nodesOf = (node: XmlNode | null | undefined, name: string): XmlNode[] =>
  node?.children.filter((child) => child.name === name) ?? []

export const placeOf = ({ line, path }: XmlNode): string => `line ${line}: ${path}`
