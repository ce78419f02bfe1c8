import type { Profile } from '../../answers.ts'
import type { ProfileFields } from '../../api.ts'

export const PROFILE = ['profile']

/** The form's values have the shape of the request, so that the service's errors find their fields. */
export const profileFields = ({ user, merchant: { address } }: Profile) => ({
  user: {
    first_name: user.first_name ?? '',
    last_name: user.last_name ?? '',
    business_name: user.business_name ?? '',
    phone: user.phone ?? '',
    dob: user.dob ?? '',
  },
  merchant: {
    address: {
      line_1: address.line_1 ?? '',
      line_2: address.line_2 ?? '',
      city: address.city ?? '',
      state: address.state ?? '',
      zip: address.zip ?? '',
      country: address.country ?? '',
    },
  },
})

export type Fields = ReturnType<typeof profileFields>

/** Returns the request. Omits empty names, because the service refuses them. Empty parts of an address become null, which removes them. */
export function profileRequest({ user, merchant }: Fields): ProfileFields {
  const hasAddress = Object.keys(given(merchant.address)).length > 0
  return { user: given(user), ...(hasAddress && { merchant: { address: withNulls(merchant.address) } }) }
}

const withNulls = (fields: Record<string, string>) =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, value.trim() === '' ? null : value]))

const given = (fields: Record<string, string>) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value.trim() !== ''))

/** Finds problems that `profileRequest` would hide: a removed value, and an incomplete address. */
export function findProblems(fields: Fields, before: Fields): Record<string, string> {
  return {
    ...takenOut('user', fields.user, before.user),
    ...takenOut('merchant.address', fields.merchant.address, before.merchant.address, ['line_2', 'country']),
    ...missingOfAddress(fields.merchant.address),
  }
}

function takenOut(path: string, now: Record<string, string>, before: Record<string, string>, optional: string[] = []) {
  const names = Object.keys(now).filter((name) => before[name] && now[name]?.trim() === '' && !optional.includes(name))
  return Object.fromEntries(names.map((name) => [`${path}.${name}`, 'This can be changed but not removed.']))
}

function missingOfAddress(address: Fields['merchant']['address']) {
  if (Object.keys(given(address)).length === 0) return {}
  const missing = (['line_1', 'city', 'state', 'zip'] as const).filter((name) => address[name].trim() === '')
  return Object.fromEntries(missing.map((name) => [`merchant.address.${name}`, 'Enter this to complete the address.']))
}
