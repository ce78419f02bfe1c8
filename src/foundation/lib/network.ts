import ipaddr from 'ipaddr.js'

/** The key for counting an address. For IPv6 this is the network, because each client has 2^64 addresses. */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  return parsed.kind() === 'ipv6' ? parsed.toNormalizedString().split(':').slice(0, 4).join(':') : parsed.toString()
}
