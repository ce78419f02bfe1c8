/** The parts of a bar, from below, with their colors in both color schemes. */
export const chartSeries = [
  { name: 'Sent', color: 'var(--remit-chart)' },
  { name: 'Waiting', color: 'var(--remit-chart-waiting)' },
  { name: 'Failed', color: 'var(--remit-chart-failed)' },
]
