const ROUND = [1, 2, 4, 8, 10]

/** Returns five round amounts for an axis, from zero to at least `largest`: $0, $2.5K … $10K. */
export function amountTicks(largest: number): number[] {
  const power = 10 ** Math.floor(Math.log10(Math.max(largest, 1)))
  const top = (ROUND.find((factor) => factor * power >= largest) ?? 10) * power
  return [0, 1, 2, 3, 4].map((quarter) => (quarter * top) / 4)
}
