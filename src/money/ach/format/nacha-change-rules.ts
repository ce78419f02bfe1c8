import type { AccountKind } from '../../../foundation/core/environment.ts'
import { type ChangeCode, changeCodes } from '../../rail/return-code-rules.ts'
import { accountKindFromCode } from './nacha-entry-rules.ts'

export type CorrectedData = {
  routingNumber?: string
  accountNumber?: string
  accountKind?: AccountKind
  receiverId?: string
}

type Field = 'routingNumber' | 'accountNumber' | 'transactionCode' | 'receiverId'

/** The formats of values that can be applied. A value must match as a whole. */
const forms: Record<Field, RegExp> = {
  routingNumber: /^\d{9}$/,
  accountNumber: /^\d[\d-]{2,15}\d$/,
  transactionCode: /^[23]\d$/,
  receiverId: /^\S.*$/,
}

/**
 * Returns the corrected data of a notification of change. The data must have exactly the layout of its code: each value at its positions,
 * and blanks everywhere else. Otherwise, returns null, because a cut or shifted value could be another person's account.
 *
 * @param data positions 36 to 79 of the addenda record: the corrected data and the blanks after it
 */
export function parseCorrectedData(changeCode: ChangeCode, data: string): CorrectedData | null {
  const layout: Record<string, readonly [first: number, last: number]> = changeCodes[changeCode].corrected
  const corrected: CorrectedData = {}
  let rest = data
  for (const [name, [first, last]] of Object.entries(layout)) {
    const value = data.slice(first - 1, last).trim()
    rest = rest.slice(0, first - 1) + ' '.repeat(last - first + 1) + rest.slice(last)
    if (!setValue(corrected, name, value)) return null
  }
  return rest.trim() === '' || Object.keys(layout).length === 0 ? corrected : null
}

/** Sets a corrected value. @returns false if the value does not have the format of its field */
function setValue(corrected: CorrectedData, name: string, value: string): boolean {
  if (!isField(name) || !forms[name].test(value)) return false
  if (name !== 'transactionCode') {
    corrected[name] = name === 'accountNumber' ? value.replaceAll('-', '') : value
    return true
  }
  const kind = accountKindFromCode(value)
  if (kind) corrected.accountKind = kind
  return kind !== null
}

const isField = (name: string): name is Field => Object.hasOwn(forms, name)
