import '@mantine/charts/styles.layer.css'
import { BarChart } from '@mantine/charts'
import type { Summary } from '../../answers.ts'
import { dollars } from '../../shown/dollars.ts'
import { amountTicks } from './amount-ticks.ts'
import { chartSeries } from './chart-series.ts'

const compact = new Intl.NumberFormat('en-US', {
  style: 'currency',
  currency: 'USD',
  notation: 'compact',
  maximumFractionDigits: 1,
})
const day = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', timeZone: 'UTC' })

/** The chart of payments per day. It is the default export, because React loads it lazily. */
export default function VolumeChart({ days }: { days: Summary['days'] }) {
  const ticks = amountTicks(Math.max(0, ...days.map((one) => one.sent.amount + one.waiting.amount + one.failed.amount)))
  return (
    <BarChart
      h={220}
      type="stacked"
      data={days.map(({ date, sent, waiting, failed }) => ({
        day: day.format(new Date(`${date}T00:00:00Z`)),
        Sent: sent.amount,
        Waiting: waiting.amount,
        Failed: failed.amount,
      }))}
      dataKey="day"
      series={chartSeries}
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
      barProps={{ maxBarSize: 28, isAnimationActive: false }}
      maxBarWidth={28}
      barChartProps={{ accessibilityLayer: false, margin: { top: 8 } }} // The table beside it is for screen readers and the keyboard.
    />
  )
}
