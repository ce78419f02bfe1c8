import { useQuery } from '@tanstack/react-query'
import type { Delivery } from '../../answers.ts'
import { hostOf } from '../../shown/host-of.ts'
import { endpointsQuery } from './webhook-queries.ts'

/** The target of a delivery: the endpoint's name, or the kind of URL. */
export function EndpointName({ delivery: { endpoint, url } }: { delivery: Pick<Delivery, 'endpoint' | 'url'> }) {
  const { data: endpoints = [], isPending } = useQuery(endpointsQuery)
  return isPending ? null : (endpoints.find(({ id }) => id === endpoint)?.name ?? hostOf(url))
}
