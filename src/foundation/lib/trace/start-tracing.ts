import { setTimeout as sleep } from 'node:timers/promises'
import { context, propagation, ROOT_CONTEXT } from '@opentelemetry/api'
import { StartProblem } from '../start-problem.ts'
import { setTracing } from './trace.ts'

/** The time that the process waits for the last export before it ends, in milliseconds. */
const LAST_EXPORT_MS = 2_000

export type TracingSettings = {
  serviceName: string
  /** The share of traces that is kept, from 0 to 1. */
  ratio: number
  sendsToReceivers: boolean
  version: string
}

/**
 * Exports spans by OTLP over HTTP, with the settings in the variables `OTEL_EXPORTER_OTLP_…`. @returns a function that stops the export
 * @throws StartProblem
 */
export async function startTracing({
  serviceName,
  ratio,
  sendsToReceivers,
  version,
}: TracingSettings): Promise<() => Promise<void>> {
  const { sdk, exporter, hooks, resources, core } = await loadPackages()
  let fixedIds: { traceId: string; spanId: string } | null = null
  const random = new sdk.RandomIdGenerator()
  const share = new sdk.TraceIdRatioBasedSampler(ratio)
  const own = resources.resourceFromAttributes({
    'service.name': serviceName,
    'service.version': version,
  })
  const detected = resources.detectResources({ detectors: [resources.envDetector] })
  const provider = new sdk.BasicTracerProvider({
    resource: resources.defaultResource().merge(detected).merge(own),
    sampler: new sdk.ParentBasedSampler({ root: share }),
    spanProcessors: [new sdk.BatchSpanProcessor(new exporter.OTLPTraceExporter())],
    idGenerator: {
      generateTraceId: () => fixedIds?.traceId ?? random.generateTraceId(),
      generateSpanId: () => fixedIds?.spanId ?? random.generateSpanId(),
    },
  })
  context.setGlobalContextManager(new hooks.AsyncLocalStorageContextManager().enable())
  propagation.setGlobalPropagator(new core.W3CTraceContextPropagator())
  setTracing({
    tracer: provider.getTracer('remit', version),
    isSampled: (traceId) =>
      share.shouldSample(ROOT_CONTEXT, traceId).decision === sdk.SamplingDecision.RECORD_AND_SAMPLED,
    startWithIds: (ids, start) => {
      fixedIds = ids
      try {
        return start()
      } finally {
        fixedIds = null
      }
    },
    sendsToReceivers,
  })
  return async () => {
    setTracing(null)
    await Promise.race([provider.shutdown(), sleep(LAST_EXPORT_MS, undefined, { ref: false })])
  }
}

async function loadPackages() {
  try {
    const [sdk, exporter, hooks, resources, core] = await Promise.all([
      import('@opentelemetry/sdk-trace-base'),
      import('@opentelemetry/exporter-trace-otlp-http'),
      import('@opentelemetry/context-async-hooks'),
      import('@opentelemetry/resources'),
      import('@opentelemetry/core'),
    ])
    return { sdk, exporter, hooks, resources, core }
  } catch (error) {
    if ((error as { code?: string }).code !== 'ERR_MODULE_NOT_FOUND') throw error
    throw new StartProblem(
      'OTEL_EXPORTER_OTLP_ENDPOINT is set, but the packages that send traces are not installed. Install them: npm install @opentelemetry/sdk-trace-base@2 @opentelemetry/exporter-trace-otlp-http@0.223 @opentelemetry/context-async-hooks@2 @opentelemetry/resources@2 @opentelemetry/core@2',
    )
  }
}
