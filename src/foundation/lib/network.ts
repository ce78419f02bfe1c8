import ipaddr from 'ipaddr.js'

/** Returns the key under which an address is counted. For IPv6, it is the network, because each client has 2^64 addresses. */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  return parsed.kind() === 'ipv6' ? parsed.toNormalizedString().split(':').slice(0, 4).join(':') : parsed.toString()
}
