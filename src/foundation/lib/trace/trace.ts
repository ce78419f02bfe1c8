import { createHash } from 'node:crypto'
import {
  type Attributes,
  type Context,
  context,
  createContextKey,
  type Link,
  propagation,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  type Tracer,
  trace,
} from '@opentelemetry/api'

// Creates spans for OpenTelemetry. Nothing is recorded until `startTracing` (start-tracing.ts) sets a tracer. Names and attributes never
// contain values from requests: no account numbers, no names of people, no parameters of statements.

/** The tracer of this process and its settings. */
export type Tracing = {
  tracer: Tracer
  /** Returns whether the trace with this id is kept. Every process decides in the same way. */
  isSampled(traceId: string): boolean
  /** Starts a span with these ids instead of random ones. */
  startWithIds(ids: Ids, start: () => Span): Span
  /** Whether webhooks are sent with the header `traceparent`. */
  sendsToReceivers: boolean
}

type Ids = { traceId: string; spanId: string }

let tracing: Tracing | null = null

export function setTracing(next: Tracing | null): void {
  tracing = next
}

export const isTracing = (): boolean => tracing !== null

type SpanOptions = {
  kind?: SpanKind
  attributes?: Attributes
  links?: readonly SpanContext[]
  /** Whether the span begins a new trace. */
  isRoot?: boolean
}

/** Runs work in a span below the active one. An error marks the span as failed, without the error's message, and is rethrown. */
export function inSpan<Result>(name: string, options: SpanOptions, run: () => Promise<Result>): Promise<Result> {
  if (!tracing) return run()
  const parent = options.isRoot ? ROOT_CONTEXT : parentContext()
  return runIn(tracing.tracer.startSpan(name, spanOptions(options), parent), run)
}

/**
 * Runs one pass of a background step. A span is created only if the pass does some work, because most passes find nothing to do.
 *
 * @param run returns the number of items done
 */
export async function inStepSpan(name: string, run: () => Promise<number>): Promise<number> {
  if (!tracing) return run()
  const pending: PendingSpan = { name: `step ${name}`, startTime: Date.now(), span: null }
  try {
    const count = await context.with(ROOT_CONTEXT.setValue(PENDING, pending), run)
    if (count > 0) started(pending).setAttribute('remit.items', count)
    return count
  } catch (error) {
    markFailed(started(pending), error)
    throw error
  } finally {
    pending.span?.end()
  }
}

/** A span that is not started until the first span below it starts. */
type PendingSpan = { name: string; startTime: number; span: Span | null }

const PENDING = createContextKey('remit: step')

function started(pending: PendingSpan): Span {
  const { name, startTime } = pending
  pending.span ??= (tracing as Tracing).tracer.startSpan(name, { startTime }, ROOT_CONTEXT)
  return pending.span
}

function parentContext(): Context {
  const active = context.active()
  const pending = active.getValue(PENDING) as PendingSpan | undefined
  return pending && !trace.getSpan(active) ? trace.setSpan(active, started(pending)) : active
}

/**
 * Starts the span of a request and runs `run` in it. The caller's `traceparent` becomes a link, because the caller must not choose our
 * trace ids.
 */
export function startRequestSpan(headers: Record<string, unknown>, attributes: Attributes, follow: () => void): Span {
  const caller = trace.getSpanContext(propagation.extract(ROOT_CONTEXT, headers))
  const options = spanOptions({ kind: SpanKind.SERVER, attributes, links: caller ? [caller] : [] })
  const span = (tracing as Tracing).tracer.startSpan('request', options, ROOT_CONTEXT)
  context.with(trace.setSpan(ROOT_CONTEXT, span), follow)
  return span
}

/**
 * Begins the trace of a payment, which lasts from its acceptance to its last webhook. The ids of the trace are derived from the id of the
 * payment, so every process can compute them without storing anything. Work that concerns several payments has its own span, with links to
 * theirs.
 */
export function startSubjectTrace(subjectId: string, name: string, attributes: Attributes = {}): void {
  if (!tracing) return
  const { tracer, startWithIds } = tracing
  const root = rootSpanContext(subjectId)
  const cause = trace.getSpan(parentContext())
  cause?.addLink({ context: root })
  const links = cause ? [cause.spanContext()] : []
  const options = spanOptions({ attributes: { ...attributes, [SUBJECT]: subjectId }, links })
  if (isKept(root)) startWithIds(root, () => tracer.startSpan(name, { ...options, root: true })).end()
}

/** Records a change in the trace of a payment or a bank account, with a link to the work that made the change. */
export function recordInSubjectTrace(subjectId: string, name: string, attributes: Attributes): void {
  if (tracing) startSubjectSpan(subjectId, name, { attributes }).end()
}

/** Runs work in the trace of a payment or a bank account. */
export function runInSubjectTrace<Result>(
  subjectId: string,
  name: string,
  options: SubjectSpanOptions,
  run: () => Promise<Result>,
): Promise<Result> {
  return tracing ? runIn(startSubjectSpan(subjectId, name, options), run) : run()
}

type SubjectSpanOptions = Pick<SpanOptions, 'kind' | 'attributes'>

const SUBJECT = 'remit.subject.id'

function startSubjectSpan(subjectId: string, name: string, options: SubjectSpanOptions): Span {
  const cause = trace.getSpan(parentContext())
  const links = cause ? [cause.spanContext()] : []
  const given = spanOptions({ ...options, links, attributes: { ...options.attributes, [SUBJECT]: subjectId } })
  return (tracing as Tracing).tracer.startSpan(
    name,
    given,
    trace.setSpanContext(ROOT_CONTEXT, rootSpanContext(subjectId)),
  )
}

/** Returns the context of the first span in the trace of a payment or a bank account. */
export function rootSpanContext(subjectId: string): SpanContext {
  const digest = createHash('sha256').update(`remit life ${subjectId}`).digest('hex')
  const ids = { traceId: digest.slice(0, 32), spanId: digest.slice(32, 48) }
  const traceFlags = tracing?.isSampled(ids.traceId) ? TraceFlags.SAMPLED : TraceFlags.NONE
  return { ...ids, traceFlags, isRemote: true }
}

const isKept = ({ traceFlags }: SpanContext): boolean => (traceFlags & TraceFlags.SAMPLED) !== 0

/** Returns the context of the active span, so that other work can link to it. */
export const activeSpan = (): SpanContext | null => (tracing && trace.getSpan(parentContext())?.spanContext()) || null

/** Returns the id of the active trace, for log lines and answers. */
export function traceFields(): { traceId?: string } {
  const span = tracing && trace.getSpanContext(context.active())
  return span ? { traceId: span.traceId } : {}
}

/** Returns the headers that tell a receiver of webhooks to which trace a webhook belongs. */
export function traceHeaders(): Record<string, string> {
  const headers: Record<string, string> = {}
  if (tracing?.sendsToReceivers) propagation.inject(context.active(), headers)
  return headers
}

async function runIn<Result>(span: Span, run: () => Promise<Result>): Promise<Result> {
  try {
    return await context.with(trace.setSpan(context.active(), span), run)
  } catch (error) {
    markFailed(span, error)
    throw error
  } finally {
    span.end()
  }
}

/** Marks a span as failed. The message of the error can quote values, so only its kind is recorded. */
function markFailed(span: Span, error: unknown): void {
  const { name, code } = error as { name?: string; code?: unknown }
  span.setAttribute('error.type', typeof code === 'string' ? code : (name ?? 'Error'))
  span.setStatus({ code: SpanStatusCode.ERROR })
}

const spanOptions = ({ kind = SpanKind.INTERNAL, attributes = {}, links = [] }: SpanOptions) => ({
  kind,
  attributes,
  links: links.map((one): Link => ({ context: one })),
})
