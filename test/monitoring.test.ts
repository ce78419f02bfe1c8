import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { suite, type TestContext, test } from 'node:test'
import { parse } from 'yaml'
import { createLog } from '../src/foundation/lib/log.ts'
import { createMetrics } from '../src/operation/app/metrics.ts'
import { serveMetrics } from '../src/operation/app/metrics-server.ts'

const file = (path: string) => readFile(new URL(`../${path}`, import.meta.url), 'utf8')

type Rule = { alert: string; expr: string; labels: { severity: string }; annotations: { summary: string } }

const rules: Rule[] = parse(await file('deploy/prometheus/remit.rules.yml')).groups.flatMap(
  ({ rules: own }: { rules: Rule[] }) => own,
)

type Panel = { id: number; title: string; targets: { expr: string; legendFormat: string }[] }

const panels: Panel[] = JSON.parse(await file('deploy/grafana/remit.json')).panels

/** The content of `/metrics` after each value was recorded once. */
async function scrapeAll(t: TestContext): Promise<string> {
  const metrics = createMetrics(createLog('silent'))
  const overdue = { count: 1, oldestSeconds: 1 }
  metrics.watch('sandbox', {
    pools: { main: () => ({ busy: 1, idle: 1, waiting: 1 }) },
    backlog: async () => ({ webhooks: overdue, legs: overdue, mail: overdue, outbox: overdue }),
    openCases: async () => [{ kind: 'refund_returned', count: 1, oldestSeconds: 1, cents: 100 }],
  })
  const meter = metrics.meterOf('sandbox')
  meter.answered({ method: 'GET', route: '/v3/user', status: 200, seconds: 0.01 })
  meter.requestNotLogged()
  meter.paymentAccepted()
  meter.paymentChanged('PAID')
  meter.legChanged({ rail: 'ACH', direction: 'debit', status: 'SENT' })
  meter.webhookAttempted({ outcome: 'acknowledged', seconds: 0.1 })
  meter.groupCommitted(2)
  meter.exceptionOpened('refund_returned')
  meter.bankFileChanged({ connection: 'first', kind: 'ach', status: 'ACCEPTED' })
  meter.exchangeBlocked({ connection: 'first', isBlocked: false })
  meter.bankSilent({ connection: 'first', isSilent: false })
  meter.sessionEnded({ connection: 'first', outcome: 'worked', seconds: 1 })
  meter.bankFileLate({ connection: 'first', kind: 'ach', late: 'transmission' })
  meter.stepRan({ step: 'send mail', seconds: 0.1, hasFailed: false })
  meter.stepFailed('send mail')
  meter.platformsFailing({ step: 'send mail', count: 1 })
  meter.ledgerVerified({ at: new Date(), seconds: 1, checks: [{ check: 'debits', checked: 1, offending: 0 }] })
  const server = await serveMetrics(metrics, { host: '127.0.0.1', port: 0 })
  t.after(() => server.stop())
  return (await fetch(server.url)).text()
}

type Metric = { type: string; labels: Set<string> }

function metricsOf(text: string): Map<string, Metric> {
  const found = new Map<string, Metric>()
  for (const [, name, type] of text.matchAll(/^# TYPE (\w+) (\w+)$/gm))
    found.set(name as string, { type: type as string, labels: new Set() })
  for (const [, series, labels] of text.matchAll(/^(\w+)\{(.*)\} \S+$/gm)) {
    const metric = found.get(metricName(series as string, found))
    for (const [, label] of labels?.matchAll(/(\w+)="/g) ?? []) metric?.labels.add(label as string)
  }
  return found
}

/** Returns the metric of a series: `remit_step_seconds_bucket` belongs to `remit_step_seconds`. */
const metricName = (series: string, known: Map<string, unknown>) =>
  known.has(series) ? series : series.replace(/_(bucket|sum|count)$/, '')

/** Labels that Prometheus adds. */
const OF_PROMETHEUS = ['instance', 'job']

/** Checks each metric and label in an expression. */
function assertKnown(expression: string, metrics: Map<string, Metric>): void {
  const series = [...expression.matchAll(/\b(?:remit|nodejs|process)_\w+/g)].map(([name]) => name)
  assert.ok(series.length > 0, expression)
  const labels = new Set(OF_PROMETHEUS)
  for (const name of series) {
    const metric = metrics.get(metricName(name, metrics)) ?? assert.fail(`/metrics has no ${name}`)
    assert.equal(name.endsWith('_bucket'), metric.type === 'histogram' && !/_(sum|count)$/.test(name), name)
    const isRated = new RegExp(`(?:rate|increase)\\(${name}\\b`).test(expression)
    assert.equal(isRated, metric.type !== 'gauge', `${expression}: a gauge has no rate, and a counter needs one`)
    for (const label of metric.labels) labels.add(label)
  }
  const grouped = [...expression.matchAll(/by \(([^)]*)\)/g)].flatMap(([, names]) => names?.split(', ') ?? [])
  const selected = [...expression.matchAll(/[{,]\s*(\w+)(?:=|!=|=~)"/g)].map(([, name]) => name as string)
  for (const label of [...grouped, ...selected])
    assert.ok(labels.has(label), `${expression}: there is no label ${label}`)
}

/** Runs promtool from Debian's package prometheus. @returns null if it is not installed */
const promtool = (args: string[], input = ''): Promise<{ code: number; output: string } | null> =>
  new Promise((resolve) => {
    const child = execFile('promtool', args, (error, stdout, stderr) => {
      if (error?.code === ('ENOENT' as never)) return resolve(null)
      resolve({ code: Number(error?.code ?? 0), output: stdout + stderr })
    })
    child.stdin?.on('error', () => {}).end(input)
  })

suite('monitoring', () => {
  test('each alert uses existing metrics and labels', async (t) => {
    const metrics = metricsOf(await scrapeAll(t))
    for (const { alert, expr, annotations } of rules) {
      assertKnown(expr, metrics)
      assert.ok(annotations.summary.includes('{{ $labels.environment }}'), `${alert} names the environment`)
    }
  })

  test('each panel of the dashboard uses existing metrics and labels', async (t) => {
    const metrics = metricsOf(await scrapeAll(t))
    const targets = panels.flatMap((panel) => panel.targets)
    for (const { expr, legendFormat } of targets) {
      assertKnown(expr, metrics)
      for (const [, label] of legendFormat.matchAll(/\{\{(\w+)\}\}/g))
        assert.ok(
          new RegExp(`by \\([^)]*\\b${label}\\b`).test(expr) || label === 'instance',
          `${expr}: ${legendFormat}`,
        )
    }
    assert.equal(new Set(panels.map(({ id }) => id)).size, panels.length)
    const shown = new Set(
      targets.flatMap(({ expr }) => [...expr.matchAll(/\bremit_\w+/g)].map(([name]) => metricName(name, metrics))),
    )
    const left = [...metrics.keys()].filter((name) => name.startsWith('remit_') && !shown.has(name))
    assert.deepEqual(left.toSorted(), NOT_SHOWN)
  })

  test('the names follow the conventions of Prometheus', async (t) => {
    const text = await scrapeAll(t)
    for (const [name, { type }] of metricsOf(text)) {
      if (!name.startsWith('remit_')) continue
      assert.match(name, /^remit(_[a-z0-9]+)+$/)
      assert.equal(name.endsWith('_total'), type === 'counter', name)
      assert.doesNotMatch(name, /_(ms|milliseconds|minutes|hours|kilobytes|megabytes|percent)(_|$)/)
      if (type === 'histogram') assert.match(name, /_(seconds|size)$/)
    }
    const linted = await promtool(['check', 'metrics'], text)
    if (!linted) return t.diagnostic('promtool is not installed, so it did not check the names')
    const ours = linted.output.split('\n').filter((line) => line.startsWith('remit_'))
    assert.deepEqual(ours, [])
  })

  test('promtool accepts the alerts', async (t) => {
    const path = new URL('../deploy/prometheus/remit.rules.yml', import.meta.url).pathname
    const checked = await promtool(['check', 'rules', path])
    if (!checked) return t.skip('promtool is not installed (Debian: apt-get install prometheus)')
    assert.equal(checked.code, 0, checked.output)
    assert.match(checked.output, new RegExp(`SUCCESS: ${rules.length} rules found`))
  })

  test('docs/operating.md explains for each alert what to do', async () => {
    const headings = [...(await file('docs/operating.md')).matchAll(/^### (Remit\w+)$/gm)].map(([, name]) => name)
    assert.deepEqual(
      headings,
      rules.map(({ alert }) => alert),
    )
  })
})

/** Metrics for detailed analysis, which no panel shows. */
const NOT_SHOWN = [
  'remit_bank_exchange_blocked',
  'remit_bank_session_seconds',
  'remit_database_up',
  'remit_exceptions_open_oldest_seconds',
  'remit_exceptions_total',
  'remit_ledger_checked_rows',
  'remit_ledger_verification_seconds',
  'remit_requests_not_logged_total',
  'remit_step_failing_platforms',
  'remit_step_runs_total',
  'remit_webhook_attempt_seconds',
]
