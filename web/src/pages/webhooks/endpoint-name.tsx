import { useQuery } from '@tanstack/react-query'
import type { Delivery } from '../../answers.ts'
import { hostOf } from '../../shown/host-of.ts'
import { endpointsQuery } from './webhook-queries.ts'

/** Where a delivery goes: the name of the endpoint if it has one, else whose address it is. */
export function EndpointName({ delivery: { endpoint, url } }: { delivery: Pick<Delivery, 'endpoint' | 'url'> }) {
  const { data: endpoints = [] } = useQuery(endpointsQuery)
  return endpoints.find(({ id }) => id === endpoint)?.name ?? hostOf(url)
}
