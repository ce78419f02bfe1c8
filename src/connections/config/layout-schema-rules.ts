import { type Static, Type } from 'typebox'
import {
  CHARACTERS,
  CHECK_ACTIONS,
  CHECK_FIELDS,
  CHECKS_PER_LIST,
  type CheckAction,
  DATE_PATTERNS,
  LINE_ENDS,
  LIST_FORMS,
  PAID_FIELDS,
  QUOTES,
  TOTAL_FIELDS,
} from '../../foundation/core/check-layout.ts'
import { closed, oneOf, textLike, wholeNumber, yesOrNo } from './connections-schema-part-rules.ts'

const SEPARATORS = [',', ';', '\t', '|'] as const

const CODE_MEANINGS: Record<CheckAction, string> = {
  issue: 'A check that the bank may pay.',
  add: 'A check outside a print file, because its recipient prints it. Default: as issue.',
  void: 'A check that was issued and is void from now on.',
  stop: 'A check in the list of stopped checks.',
}

const codes = Type.Unsafe<{ [Action in CheckAction]?: string }>(
  closed(
    Object.fromEntries(
      CHECK_ACTIONS.map((action) => [
        action,
        Type.Optional(
          textLike('^[ -~]{0,20}$', {
            description: CODE_MEANINGS[action],
            errorMessage: 'must be at most 20 ASCII characters',
          }),
        ),
      ]),
    ),
    { description: 'The word of the bank for each action. Only for the field action.' },
  ),
)

const column = (fields: readonly string[]) =>
  closed({
    field: oneOf([...fields, 'text'], { description: 'The value of the column. text: always the same text.' }),
    name: Type.Optional(
      textLike('\\S', { description: 'Heading of the column in a CSV file.', errorMessage: 'must be a heading' }),
    ),
    at: Type.Optional(
      wholeNumber(1, 5_000, {
        description: 'First character of the column in a fixed form, from 1. Default: after the column before it.',
      }),
    ),
    width: Type.Optional(
      wholeNumber(1, 1_000, {
        description:
          'Width of the column in characters. Default: the length of its text, date or longest code. In a CSV file: the maximum width.',
      }),
    ),
    align: Type.Optional(
      oneOf(['left', 'right'], { description: 'Alignment of the value. Default: right for numbers and amounts.' }),
    ),
    pad: Type.Optional(
      textLike('^[ -~]?$', {
        description:
          'The character that fills the column. Default in a fixed form: 0 for numbers and amounts, otherwise a space.',
        errorMessage: 'must be one ASCII character',
      }),
    ),
    case: Type.Optional(oneOf(['keep', 'upper'], { description: 'Case of the payee.', default: 'keep' })),
    too_long: Type.Optional(
      oneOf(['cut', 'cut_words'], {
        description: 'The handling of a payee that is too long. cut_words: it ends after a whole word.',
        default: 'cut',
      }),
    ),
    date: Type.Optional(oneOf(DATE_PATTERNS, { description: 'How a date is written.', default: 'YYYY-MM-DD' })),
    decimals: Type.Optional(
      oneOf(['point', 'implied'], {
        description: 'How cents are written. point: 1250.00. implied: 125000.',
        default: 'point',
      }),
    ),
    codes: Type.Optional(codes),
    text: Type.Optional(
      textLike('^[ -~]{0,200}$', {
        description: 'The text of the field text.',
        errorMessage: 'must be at most 200 ASCII characters',
      }),
    ),
  })

const columns = (fields: readonly string[], description: string) =>
  Type.Array(column(fields), { description, minItems: 1, maxItems: 100 })

const list = (fields: readonly string[], description: string) =>
  closed(
    {
      headings: Type.Optional(
        yesOrNo('Whether the first line has the names of the columns. Only in a CSV file.', false),
      ),
      header: Type.Optional(columns(TOTAL_FIELDS, 'Columns of the line before the checks. Default: there is none.')),
      lines: columns(fields, 'Columns of the line of each check.'),
      trailer: Type.Optional(columns(TOTAL_FIELDS, 'Columns of the line after the checks. Default: there is none.')),
    },
    { description },
  )

const form = (description: string) => oneOf(LIST_FORMS, { description })

const separator = Type.Optional(
  oneOf(SEPARATORS, { description: 'Character between two columns. Only in a CSV file.', default: ',' }),
)

const paidList = closed(
  {
    form: form('Form of the list.'),
    separator,
    headings: Type.Optional(
      yesOrNo(
        'Whether a line names the columns. Then they are found by their names, in any order, and the usual names are known too.',
        false,
      ),
    ),
    header: Type.Optional(
      columns(TOTAL_FIELDS, 'Columns of lines before the checks. Its text distinguishes them from checks.'),
    ),
    lines: columns(PAID_FIELDS, 'Columns of the line of each check. other: a column that Remit does not use.'),
    trailer: Type.Optional(
      columns(TOTAL_FIELDS, 'Columns of lines after the checks. Its text distinguishes them from checks.'),
    ),
  },
  { description: 'The list of paid checks from the bank. Default: a line names the columns by the usual names.' },
)

/** The schema of a layout of check lists, as in the folder `layouts`. */
export const layoutSchema = closed({
  $schema: Type.Optional(Type.String({ description: 'Path of this schema, for editors.' })),
  description: Type.Optional(Type.String({ description: 'Purpose of the layout, for people. Remit does not use it.' })),
  form: form('csv: columns with a separator between them. fixed: columns of a fixed width.'),
  separator,
  quotes: Type.Optional(
    oneOf(QUOTES, {
      description: 'Quotation marks around columns of a CSV file. With never, a separator in a payee is replaced.',
      default: 'when_needed',
    }),
  ),
  line_end: Type.Optional(oneOf(LINE_ENDS, { description: 'End of each line.', default: 'crlf' })),
  length: Type.Optional(
    wholeNumber(1, 5_000, {
      description: 'Length to which lines of a fixed form are filled with spaces. Default: to the last column.',
    }),
  ),
  characters: Type.Optional(
    oneOf(CHARACTERS, {
      description:
        'Characters that the bank can read. Other characters become Latin letters where possible. letters-digits: A to Z, a to z, 0 to 9 and the space.',
      default: 'ascii',
    }),
  ),
  unknown: Type.Optional(
    textLike('^[ -~]$', {
      description: 'The character that replaces one that the bank does not have. Default: a space.',
      errorMessage: 'must be one ASCII character',
    }),
  ),
  checks_per_file: Type.Optional(
    wholeNumber(1, CHECKS_PER_LIST, { description: 'Maximum number of checks in a file.', default: CHECKS_PER_LIST }),
  ),
  issue_file: list(CHECK_FIELDS, 'The list of issued and void checks (positive pay).'),
  stop_file: Type.Optional(
    list(CHECK_FIELDS, 'The list of stopped checks. Default: as issue_file, with the code of stop.'),
  ),
  paid_list: Type.Optional(paidList),
})

export type LayoutFile = Static<typeof layoutSchema>

/** Returns the text of the schema that the package contains in `schemas/check-layout.schema.json`. */
export function layoutSchemaText(): string {
  const head = { $schema: 'https://json-schema.org/draft/2020-12/schema', title: 'Lists of checks of Remit' }
  return `${JSON.stringify({ ...head, ...layoutSchema }, null, 2)}\n`
}
