import ipaddr from 'ipaddr.js'

/** What counts as one address: of IPv6 the network, since whoever has one address there has 2^64. */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  return parsed.kind() === 'ipv6' ? parsed.toNormalizedString().split(':').slice(0, 4).join(':') : parsed.toString()
}
