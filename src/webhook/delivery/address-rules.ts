import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** The addresses that an environment allows besides public ones. */
export type AddressSettings = {
  /** Whether a webhook may be sent to this machine if its URL names it. */
  allowsLocalWebhooks: boolean
  /** Networks of the operator, as ADDRESS/PREFIX. */
  webhookAllowedNetworks: readonly string[]
}

type Address = ipaddr.IPv4 | ipaddr.IPv6
type Network = [Address, number]

/**
 * Whether a webhook may be sent to an address.
 *
 * @param address an IP address of either family; anything else is refused
 * @param isLocalUrl whether the URL names this machine
 */
export function isAllowedAddress(
  address: string,
  { allowsLocalWebhooks, webhookAllowedNetworks }: AddressSettings,
  { isLocalUrl }: { isLocalUrl: boolean },
): boolean {
  const parsed = parseAddress(address)
  if (parsed === null) return false
  if (isPublic(parsed)) return true
  if (allowsLocalWebhooks && isLocalUrl && parsed.range() === 'loopback') return true
  return webhookAllowedNetworks.some((network) => isWithin(parsed, ipaddr.parseCIDR(network)))
}

/**
 * An IPv4 address in an IPv6 one (`::ffff:a.b.c.d`) is that IPv4 address. IPv6 goes through the parser of URLs, which writes
 * it in hexadecimal and takes no zone (`%eth0`): ipaddr.js reads `::a.b.c.d` as if it were `::ffff:a.b.c.d`.
 */
function parseAddress(text: string): Address | null {
  if (isIP(text) === 4) return ipaddr.parse(text)
  const host = isIP(text) === 6 ? URL.parse(`http://[${text}]`)?.hostname : undefined
  return host ? ipaddr.process(host.slice(1, -1)) : null
}

const isPublic = (address: Address): boolean =>
  address.range() === 'unicast' &&
  !NOT_PUBLIC.some((network) => isWithin(address, network)) &&
  (address.kind() === 'ipv4' || (isWithin(address, GLOBAL_UNICAST) && !isIsatap(address)))

/** The assigned part of IPv6. The rest is reserved and includes IPv4 addresses in IPv6 (`::a.b.c.d`, NAT64, …). */
const GLOBAL_UNICAST: Network = [ipaddr.parse('2000::'), 3]

/** The ranges that ipaddr.js considers public. */
const NOT_PUBLIC: Network[] = [
  [ipaddr.parse('168.63.129.16'), 32], // metadata and DNS of Azure, seen from inside only
  [ipaddr.parse('3ffe::'), 16], // 6bone, returned (RFC 3701)
]

function isWithin(address: Address, [network, prefix]: Network): boolean {
  return address.kind() === network.kind() && address.match([network, prefix] as never)
}

/** An interface id of `[02]00:5efe:a.b.c.d` is a tunnel to that IPv4 address (RFC 5214, 6.1). */
function isIsatap(address: Address): boolean {
  const [high, low] = (address as ipaddr.IPv6).parts.slice(4, 6)
  return low === 0x5efe && ((high ?? 0) & ~0x0200) === 0
}
