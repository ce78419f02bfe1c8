import type { UseQueryResult } from '@tanstack/react-query'
import type { Delivery, Endpoint } from '../../answers.ts'
import { hostOf } from '../../shown/host-of.ts'
import { nameOf } from './webhook-words.ts'

type Option = { value: string; label: string }

/** The options of the filter: all existing endpoints, the endpoints of the listed deliveries, and the selected one. */
export function endpointOptions(
  { data: endpoints = [], isPending }: UseQueryResult<Endpoint[]>,
  seen: Delivery[],
  chosen?: string,
): Option[] {
  const options = new Map<string, Option>()
  if (chosen !== undefined) options.set(chosen, { value: chosen, label: isPending ? 'Loading…' : 'Another endpoint' })
  for (const { endpoint, url } of seen) options.set(endpoint, { value: endpoint, label: hostOf(url) })
  for (const endpoint of endpoints) options.set(endpoint.id, { value: endpoint.id, label: nameOf(endpoint) })
  return [...options.values()].sort((a, b) => a.label.localeCompare(b.label))
}
