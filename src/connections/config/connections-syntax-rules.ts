import {
  findNodeAtLocation,
  getNodeValue,
  type Node,
  type ParseError,
  type ParseErrorCode,
  parseTree,
  printParseErrorCode,
} from 'jsonc-parser'

/** The path of a value in the file: `['connections', 1, 'ach', 'windows', 0]`. */
export type Path = readonly (string | number)[]

/** A problem with the value at a path. `problem` completes the sentence "The value … ". */
export type Problem = { path: Path; problem: string }

/** A problem in the form in which operators see it. `line` is counted from 1. */
export type Fault = { line: number; place: string; problem: string }

/** A file that could be read as JSON. */
export type ParsedFile = { value: unknown; problems: Problem[]; lineOf(path: Path): number }

/** Reads JSON with comments and trailing commas. @returns the problem if the text is not valid JSON */
export function parseConnections(text: string): ParsedFile | Fault {
  if (text.trim() === '') return { line: 1, place: 'The file', problem: 'is empty' }
  const errors: ParseError[] = []
  const root = parseTree(text, errors, { allowTrailingComma: true })
  const [error] = errors
  const lineAt = (offset: number) => text.slice(0, offset).split('\n').length
  if (error || !root) {
    const problem = wordsOf[printParseErrorCode((error?.error ?? 4) as ParseErrorCode)] ?? 'is not JSON'
    return { line: lineAt(error?.offset ?? 0), place: 'The file', problem }
  }
  return {
    value: getNodeValue(root),
    problems: duplicates(root, []),
    lineOf: (path) => lineAt(nodeNear(root, path).offset),
  }
}

const wordsOf: Record<string, string> = {
  InvalidSymbol: 'has a word that is not JSON. Texts need double quotes',
  InvalidNumberFormat: 'has an invalid number',
  PropertyNameExpected: 'lacks a key in double quotes here',
  ValueExpected: 'lacks a value here',
  ColonExpected: 'lacks a colon here',
  CommaExpected: 'lacks a comma here',
  CloseBraceExpected: 'lacks a closing } here',
  CloseBracketExpected: 'lacks a closing ] here',
  EndOfFileExpected: 'continues after its end',
  UnexpectedEndOfComment: 'has a comment without an end',
  UnexpectedEndOfString: 'has a text without an end',
  InvalidEscapeCharacter: 'has a text with an invalid escape',
  InvalidCharacter: 'has a text with a control character',
}

/** Returns the node at a path. If there is none, returns the nearest parent. */
function nodeNear(root: Node, path: Path): Node {
  for (let length = path.length; length > 0; length--) {
    const node = findNodeAtLocation(root, path.slice(0, length))
    if (node) return node.parent?.type === 'property' ? node.parent : node
  }
  return root
}

/** Finds repeated keys. JSON would use the last one and ignore the others. */
function duplicates(node: Node, path: Path): Problem[] {
  const children = node.children ?? []
  if (node.type === 'array') return children.flatMap((item, index) => duplicates(item, [...path, index]))
  if (node.type !== 'object') return []
  const seen = new Set<string>()
  return children.flatMap(({ children: [key, value] = [] }) => {
    const name = key?.value as string
    const own: Problem[] = seen.has(name) ? [{ path: [...path, name], problem: 'is given twice' }] : []
    seen.add(name)
    return value ? [...own, ...duplicates(value, [...path, name])] : own
  })
}

/** Formats a path: `connections[1].ach.windows[0]`. */
export function placeOf(path: Path): string {
  const place = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`)).join('')
  return place.replace(/^\./, '') || 'The file'
}

/** Returns problems in the form in which operators see them, in the order of their lines. */
export const toFaults = (problems: readonly Problem[], { lineOf }: Pick<ParsedFile, 'lineOf'>): Fault[] =>
  problems
    .map(({ path, problem }) => ({ line: lineOf(path), place: placeOf(path), problem }))
    .filter(isFirst)
    .sort((one, other) => one.line - other.line)

/** Returns whether a problem is the first one at its place. Ajv reports a value of the wrong type once for each rule that it violates. */
const isFirst = ({ place, problem }: Fault, index: number, all: readonly Fault[]): boolean =>
  all.findIndex((one) => one.place === place && one.problem === problem) === index
