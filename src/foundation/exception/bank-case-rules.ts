/** Kinds of cases that files from the bank cause, and the decision that the operator has to make. */
export const bankCaseKinds = {
  file_unread:
    'A file from the bank could not be used. Apply the part that can be read, or ask the bank for the right file.',
  entry_unread:
    'An entry from the bank could not be used. Find out which payment it is about, then apply it with the right values.',
  correction_unread:
    'A notification of change cannot be read. Ask the bank for the right account, then apply it with these values.',
  correction_impossible:
    'A notification of change cannot be applied. Correct the bank account by hand, or ask its holder.',
  return_contested: 'The bank disputes a return. Find out who has the money before anything else of the payment moves.',
  check_amount_differs:
    'The bank paid a check with another amount. Apply it to record the check as paid, and claim the difference.',
} as const satisfies Record<string, string>

export type BankCaseKind = keyof typeof bankCaseKinds

/** The reader that a file belongs to. */
export type BankCaseSource = 'ach' | 'paid' | 'mail'

export const isBankCaseKind = (kind: string): kind is BankCaseKind => Object.hasOwn(bankCaseKinds, kind)

export type HeldAccount = { routingNumber: string; accountNumber: string }

/** Values that the operator gives with a decision, as typed. */
export type CaseValues = Partial<
  Record<'trace' | 'code' | 'routing' | 'account' | 'type' | 'number' | 'amount' | 'date', string | undefined>
>

/** What a case shows to the operator and needs for a decision. It is sealed, because lines have account numbers. */
export type CaseContent = {
  /** The lines concerned, as they were framed. */
  lines: { number: number; text: string }[]
  problems?: string[]
  /** What was read, by the reader that reads it back. */
  data?: Record<string, unknown>
}
