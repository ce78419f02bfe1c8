import { Type } from 'typebox'
import { CHECK_DIGITS, MIN_VIRTUAL_DIGITS, VIRTUAL_ACCOUNT_RAILS } from '../../foundation/core/connections.ts'
import { closed, file, idOf, listOf, oneOf, textLike, wholeNumber } from './connections-schema-part-rules.ts'

/** The rails over which numbers receive money, if a connection does not name them. */
export const VIRTUAL_RAILS_BY_DEFAULT = ['ACH', 'WIRE'] as const

/** The schema of account numbers for incoming money in connections.json. */
export const virtualAccounts = closed(
  {
    account: idOf('an account', 'Account on which the bank books the credits to these numbers.'),
    prefix: Type.Optional(
      textLike('^[1-9][0-9]{0,12}$', {
        description: 'First digits of the numbers, as assigned by the bank. Give this and length, or numbers_file.',
        errorMessage: 'must be 1 to 13 digits that do not begin with 0',
      }),
    ),
    length: Type.Optional(
      wholeNumber(MIN_VIRTUAL_DIGITS, 17, { description: 'Digits of a number, with prefix and check digit.' }),
    ),
    check_digit: Type.Optional(
      oneOf(CHECK_DIGITS, { description: 'How the last digit is computed, if it is a check digit.', default: 'none' }),
    ),
    numbers_file: Type.Optional(
      file(
        `File with the numbers that the bank gave, one in each line: ${MIN_VIRTUAL_DIGITS} to 17 digits. They are used in this order.`,
      ),
    ),
    rails: Type.Optional(
      listOf(oneOf(VIRTUAL_ACCOUNT_RAILS, { description: 'A rail.' }), {
        description: `Rails over which the bank receives money for these numbers. Default: ${VIRTUAL_RAILS_BY_DEFAULT.join(', ')}.`,
        minItems: 1,
      }),
    ),
  },
  { description: 'Account numbers for incoming money: every wallet has one. At most one connection has them.' },
)
