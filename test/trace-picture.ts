import { writeFile } from 'node:fs/promises'
import { after, test } from 'node:test'
import { rootSpanContext } from '../src/foundation/lib/trace/trace.ts'
import type { ReceivedSpan } from './support/otlp-receiver.ts'
import { payOnce, startTraced } from './support/traced.ts'

// Draws the trace of one payment, as received by a collector, for docs/operating.md: node test/run.ts
// test/trace-picture.ts

const WIDTH = 860
const LABEL = 250
const ROW = 30
const TOP = 64
/** A shorter span is drawn as a point, such as the change of a leg. */
const MOMENT_MS = 0.5

const msOf = (nanoseconds: string): number => Number(BigInt(nanoseconds) / 1_000n) / 1_000

const escaped = (text: string): string => text.replace(/[&<>]/g, (found) => `&#${found.charCodeAt(0)};`)

/** The spans of the payment and those that it links, in the order of their starts. */
function spansAround(all: readonly ReceivedSpan[], traceId: string): ReceivedSpan[] {
  const own = all.filter((span) => span.traceId === traceId)
  const linked = new Set(own.flatMap(({ links = [] }) => links.map(({ spanId }) => spanId)))
  const names = new Set<string>()
  return [...own, ...all.filter(({ spanId }) => linked.has(spanId))]
    .toSorted((a, b) => msOf(a.startTimeUnixNano) - msOf(b.startTimeUnixNano))
    .filter((span) => span.traceId === traceId || !names.has(span.name) === Boolean(names.add(span.name)))
}

function draw(spans: readonly ReceivedSpan[], traceId: string): string {
  const starts = spans.map(({ startTimeUnixNano }) => msOf(startTimeUnixNano))
  const begin = Math.min(...starts)
  const whole = Math.max(...spans.map(({ endTimeUnixNano }) => msOf(endTimeUnixNano))) - begin
  const xOf = (ms: number) => LABEL + ((ms - begin) / whole) * (WIDTH - LABEL - 90)
  const rows = spans.map((span, index) => {
    const [start, end] = [msOf(span.startTimeUnixNano), msOf(span.endTimeUnixNano)]
    const y = TOP + index * ROW
    const isOwn = span.traceId === traceId
    const width = Math.max(xOf(end) - xOf(start), 4)
    return `<text x="16" y="${y + 15}" class="${isOwn ? 'own' : 'other'}">${escaped(span.name)}</text>
<rect x="${xOf(start).toFixed(1)}" y="${y + 3}" width="${width.toFixed(1)}" height="16" rx="3" class="${isOwn ? 'own' : 'other'}"/>
${end - start < MOMENT_MS ? '' : `<text x="${(xOf(start) + width + 6).toFixed(1)}" y="${y + 15}" class="time">${(end - start).toFixed(1)} ms</text>`}`
  })
  const height = TOP + spans.length * ROW + 14
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-label="The trace of one payment">
<style>
text { font: 13px ui-sans-serif, system-ui, sans-serif; fill: #1f2933 }
text.title { font-weight: 600; font-size: 15px }
text.other, text.time { fill: #5b6776 }
text.time { font-size: 11px }
rect.page { fill: #ffffff; stroke: #d5dbe1 }
rect.own { fill: #2b6cb0 }
rect.other { fill: #a9b8c9 }
</style>
<rect class="page" x="0.5" y="0.5" width="${WIDTH - 1}" height="${height - 1}" rx="8"/>
<text x="16" y="26" class="title">One payment, from POST to its webhook</text>
<text x="16" y="46" class="other">Blue: the trace of the payment. Gray: work for many payments, connected by links. Together ${whole.toFixed(0)} ms.</text>
${rows.join('\n')}
</svg>
`
}

test('draw the trace of one payment', async () => {
  const traced = await startTraced({ after })
  const { id } = await payOnce({ after }, traced)
  await traced.remit.end()
  const { traceId } = rootSpanContext(id)
  await writeFile(
    new URL('../docs/images/trace.svg', import.meta.url),
    draw(spansAround(traced.collector.spans(), traceId), traceId),
  )
})
