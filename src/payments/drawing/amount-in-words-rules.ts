import { MAX_AMOUNT_CENTS } from '../../foundation/core/money.ts'

const SMALL =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  )
const TENS = ['', '', 'twenty', 'thirty', 'forty', 'fifty', 'sixty', 'seventy', 'eighty', 'ninety'] as const

/**
 * Writes the legal amount of a check: 12550 cents is "One hundred twenty-five and 50/100". "And" appears only before the cents, as on US
 * checks. If words and figures differ, the words count (UCC 3-114).
 *
 * @throws RangeError unless the cents are whole and between 0 and 9,999,999,999
 */
export function amountInWords(cents: number): string {
  if (!Number.isInteger(cents) || cents < 0 || cents > MAX_AMOUNT_CENTS) {
    throw new RangeError('an amount is a whole number of cents up to ten digits')
  }
  const words = wordsOf(Math.floor(cents / 100))
  const fraction = String(cents % 100).padStart(2, '0')
  return `${words.charAt(0).toUpperCase()}${words.slice(1)} and ${fraction}/100`
}

function wordsOf(dollars: number): string {
  const scales = [
    [Math.floor(dollars / 1_000_000), ' million'],
    [Math.floor(dollars / 1_000) % 1_000, ' thousand'],
    [dollars % 1_000, ''],
  ] as const
  const parts = scales.filter(([count]) => count > 0).map(([count, scale]) => `${belowThousand(count)}${scale}`)
  return parts.join(' ') || 'zero'
}

function belowThousand(count: number): string {
  const rest = count % 100
  const hundreds = count >= 100 ? `${SMALL[Math.floor(count / 100)]} hundred` : ''
  return [hundreds, rest > 0 ? belowHundred(rest) : ''].filter(Boolean).join(' ')
}

function belowHundred(count: number): string {
  if (count < 20) return SMALL[count] as string
  const ones = count % 10
  return `${TENS[Math.floor(count / 10)]}${ones > 0 ? `-${SMALL[ones]}` : ''}`
}
