import { formatNachaText, isNachaText } from './nacha-text-rules.ts'

export const RECORD_LENGTH = 94
export const BLOCKING_FACTOR = 10
export const FILLER = '9'.repeat(RECORD_LENGTH)

/**
 * The format in which a field is written. `number`: padded with zeros. `digits`: exactly as long as the field. `optional`: may be blank.
 * `text`: cut, and padded with blanks. `code`: like `text`, in capitals. `exact`: required and never cut. `right`: like `exact`, aligned
 * right. `=…`: a literal.
 */
type Content = 'number' | 'digits' | 'optional' | 'text' | 'code' | 'exact' | 'right' | 'blank' | `=${string}`

/** The fields of each record (Nacha Operating Rules, Appendix Three, Part 3.2 to 3.4; returns: Appendix Four). */
// biome-ignore format: one field a line
export const recordLayouts = {
  fileHeader: [
    ['recordType', 1, '=1'],
    ['priorityCode', 2, '=01'],
    ['immediateDestination', 10, 'right'],
    ['immediateOrigin', 10, 'right'],
    ['creationDate', 6, 'digits'],
    ['creationTime', 4, 'optional'],
    ['fileIdModifier', 1, 'code'],
    ['recordSize', 3, '=094'],
    ['blockingFactor', 2, '=10'],
    ['formatCode', 1, '=1'],
    ['immediateDestinationName', 23, 'text'],
    ['immediateOriginName', 23, 'text'],
    ['referenceCode', 8, 'text'],
  ],
  batchHeader: [
    ['recordType', 1, '=5'],
    ['serviceClass', 3, 'digits'],
    ['companyName', 16, 'text'],
    ['companyDiscretionaryData', 20, 'text'],
    ['companyId', 10, 'code'],
    ['secCode', 3, 'code'],
    ['entryDescription', 10, 'code'],
    ['descriptiveDate', 6, 'text'],
    ['effectiveEntryDate', 6, 'optional'],
    ['settlementDay', 3, 'optional'], // day of the year; the ACH operator sets it
    ['originatorStatus', 1, 'text'],
    ['odfi', 8, 'digits'],
    ['batchNumber', 7, 'number'],
  ],
  entry: [
    ['recordType', 1, '=6'],
    ['transactionCode', 2, 'digits'],
    ['rdfi', 8, 'digits'],
    ['checkDigit', 1, 'digits'],
    ['accountNumber', 17, 'exact'],
    ['amountCents', 10, 'number'],
    ['receiverId', 15, 'text'],
    ['receiverName', 22, 'text'],
    ['discretionaryData', 2, 'code'], // for WEB, the payment type code
    ['addendaIndicator', 1, 'digits'],
    ['traceNumber', 15, 'digits'],
  ],
  remittanceAddenda: [
    ['recordType', 1, '=7'],
    ['addendaType', 2, '=05'],
    ['remittance', 80, 'text'],
    ['addendaSequence', 4, 'number'],
    ['entrySequence', 7, 'digits'],
  ],
  returnAddenda: [
    ['recordType', 1, '=7'],
    ['addendaType', 2, '=99'],
    ['returnCode', 3, 'code'],
    ['originalTraceNumber', 15, 'digits'],
    ['dateOfDeath', 6, 'optional'],
    ['originalRdfi', 8, 'digits'],
    ['information', 44, 'text'],
    ['traceNumber', 15, 'digits'],
  ],
  changeAddenda: [
    ['recordType', 1, '=7'],
    ['addendaType', 2, '=98'],
    ['changeCode', 3, 'code'],
    ['originalTraceNumber', 15, 'digits'],
    ['reserved', 6, 'text'],
    ['originalRdfi', 8, 'digits'],
    ['correctedData', 29, 'text'],
    ['reserved2', 15, 'text'],
    ['traceNumber', 15, 'digits'],
  ],
  batchControl: [
    ['recordType', 1, '=8'],
    ['serviceClass', 3, 'digits'],
    ['entryCount', 6, 'number'], // counts entries and addenda
    ['entryHash', 10, 'number'],
    ['debitCents', 12, 'number'],
    ['creditCents', 12, 'number'],
    ['companyId', 10, 'code'],
    ['authenticationCode', 19, 'text'],
    ['reserved', 6, 'blank'],
    ['odfi', 8, 'digits'],
    ['batchNumber', 7, 'number'],
  ],
  fileControl: [
    ['recordType', 1, '=9'],
    ['batchCount', 6, 'number'],
    ['blockCount', 6, 'number'],
    ['entryCount', 8, 'number'],
    ['entryHash', 10, 'number'],
    ['debitCents', 12, 'number'],
    ['creditCents', 12, 'number'],
    ['reserved', 39, 'blank'],
  ],
} as const satisfies Record<string, readonly (readonly [name: string, length: number, content: Content])[]>

export type RecordName = keyof typeof recordLayouts
type FieldName<R extends RecordName> = (typeof recordLayouts)[R][number][0]
export type RecordValues<R extends RecordName> = Record<FieldName<R>, string>

/**
 * Writes a record as a line. Missing fields are blank, or contain their literal.
 *
 * @throws RangeError if a value that must not be cut does not fit. The message does not contain the value
 */
export function writeRecord<R extends RecordName>(
  record: R,
  values: { [Name in FieldName<R>]?: string | number },
): string {
  const given = values as Record<string, string | number | undefined>
  const fields = recordLayouts[record].map(([name, length, content]) => {
    const field = writeField(String(given[name] ?? ''), length, content)
    if (field.length !== length) throw new RangeError(`${record}.${name} must have ${length} characters`)
    return field
  })
  return fields.join('')
}

/** Writes a field. If the value does not fit, the result has a wrong length or is empty. */
function writeField(value: string, length: number, content: Content): string {
  switch (content) {
    case 'number':
      return /^\d+$/.test(value) ? value.padStart(length, '0') : ''
    case 'digits':
      return /^\d+$/.test(value) ? value : ''
    case 'optional':
      return /^\d*$/.test(value) ? value || ' '.repeat(length) : ''
    case 'text':
      return formatNachaText(value).slice(0, length).padEnd(length)
    case 'code':
      return formatNachaText(value).toUpperCase().slice(0, length).padEnd(length)
    case 'exact':
      return value !== '' && isNachaText(value) ? value.padEnd(length) : ''
    case 'right':
      return value !== '' && isNachaText(value) ? value.toUpperCase().padStart(length) : ''
    case 'blank':
      return ' '.repeat(length)
    default:
      return content.slice(1)
  }
}

/** Reads the fields of a line without changes, including blanks. */
export function readRecord<R extends RecordName>(record: R, line: string): RecordValues<R> {
  let position = 0
  const fields = recordLayouts[record].map(([name, length]) => {
    position += length
    return [name, line.slice(position - length, position)]
  })
  return Object.fromEntries(fields)
}

/** Lists the problems of the fields of a line. */
export function recordProblems(record: RecordName, line: string): string[] {
  const problems: string[] = []
  let position = 0
  for (const [name, length, content] of recordLayouts[record]) {
    const field = line.slice(position, position + length)
    position += length
    const wanted = wantedOf(content, field)
    if (wanted) problems.push(`${name} (positions ${position - length + 1} to ${position}) ${wanted}`)
  }
  return problems
}

function wantedOf(content: Content, field: string): string | null {
  if (content.startsWith('=')) return field === content.slice(1) ? null : `must be ${content.slice(1)}`
  if (content === 'number' || content === 'digits') return /^\d+$/.test(field) ? null : 'must be digits'
  if (content === 'optional') return /^(\d+|[ ]+)$/.test(field) ? null : 'must be digits or blank'
  return null
}
