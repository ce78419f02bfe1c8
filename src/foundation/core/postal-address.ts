import { ApiError } from './errors.ts'

// Addresses in the United States (USPS Publication 28). ZIP code prefixes are those of its Labeling List L002.

/**
 * The states, territories and military "states": code, name, the ranges of their ZIP code prefixes, and the prefixes of other states that
 * also serve some of their towns.
 */
const STATES: readonly [code: string, name: string, own: string, shared?: string][] = [
  ['AL', 'Alabama', '350-369'],
  ['AK', 'Alaska', '995-999'],
  ['AZ', 'Arizona', '850-865'],
  ['AR', 'Arkansas', '716-729', '755'],
  ['CA', 'California', '900-961', '894 974'],
  ['CO', 'Colorado', '800-816'],
  ['CT', 'Connecticut', '060-069'],
  ['DE', 'Delaware', '197-199'],
  ['DC', 'District of Columbia', '200 202-205 569', '201'],
  ['FL', 'Florida', '320-339 341-349'],
  ['GA', 'Georgia', '300-319 398-399', '374'],
  ['HI', 'Hawaii', '967-968'],
  ['ID', 'Idaho', '832-838', '831'],
  ['IL', 'Illinois', '600-629'],
  ['IN', 'Indiana', '460-479'],
  ['IA', 'Iowa', '500-528', '561 574'],
  ['KS', 'Kansas', '660-679'],
  ['KY', 'Kentucky', '400-427', '376 456'],
  ['LA', 'Louisiana', '700-714', '716'],
  ['ME', 'Maine', '039-049'],
  ['MD', 'Maryland', '206-219'],
  ['MA', 'Massachusetts', '010-027 055'],
  ['MI', 'Michigan', '480-499', '545'],
  ['MN', 'Minnesota', '550-567'],
  ['MS', 'Mississippi', '386-397'],
  ['MO', 'Missouri', '630-658'],
  ['MT', 'Montana', '590-599', '582 821'],
  ['NE', 'Nebraska', '680-693', '515'],
  ['NV', 'Nevada', '889-898', '961'],
  ['NH', 'New Hampshire', '030-038'],
  ['NJ', 'New Jersey', '070-089'],
  ['NM', 'New Mexico', '870-884', '865'],
  ['NY', 'New York', '005 100-149', '063'],
  ['NC', 'North Carolina', '270-289', '379'],
  ['ND', 'North Dakota', '580-588', '565 567 576 592'],
  ['OH', 'Ohio', '430-459'],
  ['OK', 'Oklahoma', '730-732 734-749', '673'],
  ['OR', 'Oregon', '970-979', '836 838'],
  ['PA', 'Pennsylvania', '150-196'],
  ['RI', 'Rhode Island', '028-029'],
  ['SC', 'South Carolina', '290-299', '286'],
  ['SD', 'South Dakota', '570-577', '561 562 580 586 592 593 690 693'],
  ['TN', 'Tennessee', '370-385', '307 422'],
  ['TX', 'Texas', '733 750-799 885', '739 880'],
  ['UT', 'Utah', '840-847', '832 833'],
  ['VT', 'Vermont', '050-054 056-059'],
  ['VA', 'Virginia', '201 220-246'],
  ['WA', 'Washington', '980-994', '838 978'],
  ['WV', 'West Virginia', '247-268'],
  ['WI', 'Wisconsin', '530-549', '498 499'],
  ['WY', 'Wyoming', '820-831', '577 590 591 834'],
  ['PR', 'Puerto Rico', '006-007 009'],
  ['VI', 'Virgin Islands', '008'],
  ['GU', 'Guam', '969'],
  ['AS', 'American Samoa', '967'],
  ['MP', 'Northern Mariana Islands', '969'],
  ['PW', 'Palau', '969'],
  ['FM', 'Micronesia', '969'],
  ['MH', 'Marshall Islands', '969'],
  ['AA', 'Armed Forces Americas', '340'],
  ['AE', 'Armed Forces Europe', '090-098'],
  ['AP', 'Armed Forces Pacific', '962-966'],
]

/** Lists the states with a ZIP code prefix. States that own the prefix come first. */
const statesOfPrefix = (prefix: string): string[] =>
  [
    STATES.filter(([, , own]) => isWithin(prefix, own)),
    STATES.filter(([, , , shared]) => shared !== undefined && isWithin(prefix, shared)),
  ].flatMap((states) => states.map(([code]) => code))

const isWithin = (prefix: string, ranges: string): boolean =>
  ranges.split(' ').some((range) => {
    const [from = '', to = from] = range.split('-')
    return prefix >= from && prefix <= to
  })

/** Returns the code of a state from its code or name, or null. */
function stateCode(text: string): string | null {
  const plain = text.trim().toUpperCase().replace(/\./g, '').replace(/\s+/g, ' ')
  return STATES.find(([code, name]) => plain === code || plain === name.toUpperCase())?.[0] ?? null
}

export const isOfUnitedStates = (country: string | null | undefined): boolean =>
  !country?.trim() || /^(us|usa|u\.s\.|u\.s\.a\.|united states( of america)?)$/i.test(country.trim())

type StateAndZip = { state: string; zip: string; country?: string | null | undefined }

/**
 * Returns the problems of the state and the ZIP code, as texts that follow the field's name. Mail cannot be delivered if they do not
 * match. Addresses outside of the United States have no problems.
 */
export function stateAndZipProblems({ state, zip, country }: StateAndZip): { state?: string; zip?: string } {
  if (!isOfUnitedStates(country)) return {}
  const code = stateCode(state)
  const zipProblem = problemOfZip(zip.trim(), code)
  return {
    ...(code === null && { state: 'must be a state of the United States, such as MA' }),
    ...(zipProblem !== null && { zip: zipProblem }),
  }
}

/** Returns the problem of a ZIP code, or null. @param state null if it is unknown */
function problemOfZip(zip: string, state: string | null): string | null {
  if (/^\d{5}(-?\d{4})?$/.test(zip)) {
    const [first, ...others] = statesOfPrefix(zip.slice(0, 3))
    if (first === undefined) return 'is not a ZIP code of the United States'
    return state === null || [first, ...others].includes(state) ? null : `is in ${first}, and not in ${state}`
  }
  const padded = zip.padStart(5, '0')
  const isMeant = /^\d{3,4}$/.test(zip) && problemOfZip(padded, state) === null
  const hint = isMeant ? `. A spreadsheet may have removed the zero at the start of ${padded}` : ', such as 02138'
  return `must be a ZIP code of 5 or 9 digits${hint}`
}

/**
 * Checks the state and the ZIP code of an address.
 *
 * @param within the field of the request that contains the address
 * @throws ApiError invalid_request
 */
export function requireStateAndZip(address: StateAndZip, within: string): void {
  refuseParts(stateAndZipProblems(address), within)
}

/**
 * Refuses a request if parts of an address have problems.
 *
 * @param problems the problem of each part, as a text that follows its name
 * @throws ApiError invalid_request
 */
export function refuseParts(problems: Record<string, string | undefined>, within: string | null): void {
  const fields = Object.entries(problems).flatMap(([part, problem]): [string, string][] =>
    problem === undefined ? [] : [[within ? `${within}.${part}` : part, problem]],
  )
  if (fields.length === 0) return
  throw new ApiError('invalid_request', {
    message: fields.map(([field, problem]) => `${field} ${problem}.`).join(' '),
    fields: Object.fromEntries(fields.map(([field, problem]) => [field, [problem]])),
  })
}

const PO_BOX = /\bp\.?\s*o\.?\s*b(ox|\.)?\s*#?\s*\d|\bpost(al)?\s+office\s+box\b|^\s*box\s+\d/i

type StreetAndState = Omit<StateAndZip, 'zip'> & { line_1: string; line_2?: string | null | undefined }

/** Returns whether only the Postal Service delivers to an address: a PO box or a military address. */
export const isPostalServiceOnly = ({ line_1, line_2, state, country }: StreetAndState): boolean =>
  isOfUnitedStates(country) &&
  (PO_BOX.test(line_1) || PO_BOX.test(line_2 ?? '') || ['AA', 'AE', 'AP'].includes(stateCode(state) ?? ''))
