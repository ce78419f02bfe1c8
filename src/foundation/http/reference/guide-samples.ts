import { readFile } from 'node:fs/promises'

// A guide includes code by a line such as `[Sample](….ts)` with the path of a file below `examples/`. The line stands for all files with
// this name and any extension: one for each language. Tests run these files.

/** The languages of samples, in the order of the tabs. `fence` is the language of the code block in Markdown. */
export const SAMPLE_LANGUAGES = [
  { extension: 'sh', label: 'curl', fence: 'bash' },
  { extension: 'ts', label: 'TypeScript', fence: 'ts' },
  { extension: 'py', label: 'Python', fence: 'python' },
] as const

export type SampleLanguage = (typeof SAMPLE_LANGUAGES)[number]
export type SampleCode = SampleLanguage & { code: string }

/** A part of a guide: Markdown, or a sample in one or more languages. */
export type GuidePart = { markdown: string } | { name: string; languages: SampleCode[] }

const PROJECT = new URL('../../../../', import.meta.url)
const MARKER = /^\[Sample\]\((?:\.\.\/)+(examples\/[\w/-]+)\.(?:sh|ts|py)\)$/m

export const readProjectFile = (path: string): Promise<string> => readFile(new URL(path, PROJECT), 'utf8')

/** Splits a guide at its samples, and reads them. @throws Error if a sample has no file */
export async function readParts(markdown: string): Promise<GuidePart[]> {
  const pieces = markdown.split(new RegExp(MARKER, 'gm'))
  return Promise.all(
    pieces.map(async (piece, index) =>
      index % 2 === 0 ? { markdown: piece } : { name: piece, languages: await readSample(piece) },
    ),
  )
}

/** Reads the code of a sample in each of its languages. */
export async function readSample(name: string): Promise<SampleCode[]> {
  const found = await Promise.all(
    SAMPLE_LANGUAGES.map(async (language) => {
      const code = await readProjectFile(`${name}.${language.extension}`).catch(() => null)
      return code === null ? [] : [{ ...language, code }]
    }),
  )
  const languages = found.flat()
  if (languages.length === 0) throw new Error(`There is no sample ${name}.`)
  return languages
}

/** Returns a guide as Markdown with the code of its samples. */
export async function readGuideMarkdown(file: string): Promise<string> {
  const parts = await readParts(await readProjectFile(file))
  return parts.map((part) => ('markdown' in part ? part.markdown : part.languages.map(fenceOf).join('\n\n'))).join('')
}

const fenceOf = ({ fence, code }: SampleCode): string => `\`\`\`${fence}\n${code.trimEnd()}\n\`\`\``
