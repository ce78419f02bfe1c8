import { Type } from 'typebox'
import { STATEMENT_NAMES } from '../../foundation/core/connections.ts'
import { closed, listOf, ONE_LINE, oneOf, textLike } from './connections-schema-part-rules.ts'

const statementRule = closed(
  {
    text: Type.Optional(
      textLike(ONE_LINE, { description: 'A part of the text, regardless of case.', errorMessage: 'must be a text' }),
    ),
    code: Type.Optional(
      textLike('^[A-Za-z0-9/+-]{1,40}$', {
        description: 'The code of the movement: a type code of BAI2, or the bank transaction code of camt.',
        errorMessage: 'must be a code of letters and digits',
      }),
    ),
    sign: Type.Optional(oneOf(['credit', 'debit'], { description: 'Whether the line is a credit or a debit.' })),
    account: textLike('^[a-z][a-z0-9_]{0,29}$', {
      description: 'Name of the ledger account after operator:, such as fees.',
      errorMessage: 'must be at most 30 lower-case letters, digits and underscores, and begin with a letter',
    }),
  },
  // If a rule had only an account, it would match every line.
  { minProperties: 2, errorMessage: 'must have text, code or sign beside account' },
)

/** The schema of the statements of a bank in connections.json. */
export const statements = closed(
  {
    format: Type.Optional(
      oneOf(['bai2', 'camt', 'csv'], { description: 'Format of the files. Default: detected for each file.' }),
    ),
    names: Type.Optional(
      listOf(
        textLike('^[^/\\u0000-\\u001f]{1,255}$', {
          description: 'A name.',
          errorMessage: 'must be the name of a file',
        }),
        {
          description: `Names of files of statements, with * for any characters. Default: ${STATEMENT_NAMES.join(', ')}.`,
          minItems: 1,
        },
      ),
    ),
    csv: Type.Optional(
      Type.Unsafe<Record<string, unknown>>({
        type: 'object',
        description: 'Columns of CSV: see docs/statements.md.',
        required: ['columns'],
        properties: { columns: { type: 'object', description: 'Names of the columns.' } },
      }),
    ),
    rules: Type.Optional(
      Type.Array(statementRule, {
        description: 'Rules for lines that are not payments, such as fees. The first matching rule applies.',
      }),
    ),
  },
  { description: 'Statements that the bank sends about your accounts.' },
)
