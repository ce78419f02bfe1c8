import { type NachaAcknowledgement, parseNachaAcknowledgements } from './nacha-acknowledgement-rules.ts'
import { type NachaContent, parseNachaFile } from './nacha-parse-rules.ts'

/** What a file of the bank holds, or every reason why nothing is taken from it. */
export type InboundReading =
  | { kind: 'nacha'; content: NachaContent }
  | { kind: 'acknowledgement'; acknowledgements: NachaAcknowledgement[] }
  | { kind: null; problems: string[] }

/** Reads what the bank sent; never throws. Bytes are taken one by one, so that none beyond ASCII hides in a character. */
export function readInbound(bytes: Buffer): InboundReading {
  const text = bytes.toString('latin1')
  if (!/ACKNOWLEDGE?MENT/i.test(text)) return readNacha(text)
  const foreign = text.search(/[^\t\n\f\r -~]/)
  if (foreign !== -1) return { kind: null, problems: [`a character outside ASCII at byte ${foreign + 1}`] }
  const { acknowledgements, problems } = parseNachaAcknowledgements(text)
  return problems.length > 0 ? { kind: null, problems } : { kind: 'acknowledgement', acknowledgements }
}

function readNacha(text: string): InboundReading {
  const reading = parseNachaFile(text)
  if (reading.content) return { kind: 'nacha', content: reading.content }
  const { problems, problemCount } = reading
  const lines = problems.map(({ line, problem }) => (line === null ? problem : `line ${line}: ${problem}`))
  if (problemCount > problems.length) lines.push(`and ${problemCount - problems.length} more`)
  return { kind: null, problems: lines }
}

/** What a person has to look at; `line` is that of the file, or the place of an acknowledgement in it. */
export type SetAside = { line: number; traceNumber: string | null; reason: string }

/** What a file was good for. */
export type InboundCounts = { returns: number; corrections: number; acknowledgements: number }

/** The report about entries that were set aside, or null when there are none. */
export function reportOnEntries(name: string, counts: InboundCounts, setAside: readonly SetAside[]): string | null {
  if (setAside.length === 0) return null
  return [
    `Of ${name}, which is in done/, these were set aside:`,
    '',
    ...setAside.map(({ line, traceNumber, reason }) => {
      return `  ${line}: ${traceNumber ? `trace number ${traceNumber}: ` : ''}${reason}`
    }),
    '',
    `Used: ${Object.entries(counts)
      .map(([what, count]) => `${count} ${what}`)
      .join(', ')}.`,
    '',
  ].join('\n')
}
