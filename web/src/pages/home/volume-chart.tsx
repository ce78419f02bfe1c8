import '@mantine/charts/styles.layer.css'
import { BarChart } from '@mantine/charts'
import type { Stats } from '../../answers.ts'
import { dollars } from '../../shown/dollars.ts'
import { amountTicks } from './amount-ticks.ts'

const compact = new Intl.NumberFormat('en-US', {
  style: 'currency',
  currency: 'USD',
  notation: 'compact',
  maximumFractionDigits: 1,
})
const day = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', timeZone: 'UTC' })

/** The default export, because React loads it lazily. */
export default function VolumeChart({ points }: { points: Stats['points'] }) {
  const ticks = amountTicks(Math.max(0, ...points.map(({ amount }) => amount)))
  return (
    <BarChart
      h={220}
      data={points.map(({ key, amount }) => ({ day: day.format(new Date(`${key}T00:00:00Z`)), Sent: amount }))}
      dataKey="day"
      series={[{ name: 'Sent', color: 'var(--remit-chart)' }]}
      valueFormatter={dollars}
      tickLine="none"
      gridAxis="x"
      xAxisProps={{ minTickGap: 24, interval: 'preserveStartEnd' }}
      yAxisProps={{
        width: 56,
        ticks,
        domain: [0, ticks.at(-1) ?? 0],
        tickFormatter: (value: number) => compact.format(value),
      }}
      barProps={{ radius: [3, 3, 0, 0], maxBarSize: 28, isAnimationActive: false }}
      maxBarWidth={28}
      barChartProps={{ accessibilityLayer: false, margin: { top: 8 } }} // The table beside it is for screen readers and the keyboard.
    />
  )
}
