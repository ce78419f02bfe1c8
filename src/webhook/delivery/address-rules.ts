import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** The rules that allow webhooks to addresses that are not public. */
export type AddressSettings = {
  /** Whether webhooks may be sent to this machine. Their URL must name it: `localhost` or a loopback address. */
  allowsLocalWebhooks: boolean
  /** The operator's networks to which webhooks may be sent, each as ADDRESS/PREFIX. */
  webhookAllowedNetworks: readonly string[]
}

type Address = ipaddr.IPv4 | ipaddr.IPv6
type Network = [Address, number]

/**
 * Returns whether a webhook may be sent to an address.
 *
 * @param address an IPv4 or IPv6 address. Any other text is refused.
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
 * Parses an IP address. An IPv4 address in an IPv6 one (`::ffff:a.b.c.d`) becomes that IPv4 address. The URL parser normalizes IPv6 first
 * and refuses zones (`%eth0`), because ipaddr.js misreads `::a.b.c.d` as `::ffff:a.b.c.d`.
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

/** The assigned part of IPv6. Addresses outside it are refused: they are reserved or contain IPv4 addresses (`::a.b.c.d`, NAT64, …). */
const GLOBAL_UNICAST: Network = [ipaddr.parse('2000::'), 3]

/** Ranges that are not public, although ipaddr.js treats them as public. */
const NOT_PUBLIC: Network[] = [
  [ipaddr.parse('168.63.129.16'), 32], // metadata and DNS of Azure, reachable only from inside Azure
  [ipaddr.parse('3ffe::'), 16], // 6bone, which was returned (RFC 3701)
]

function isWithin(address: Address, [network, prefix]: Network): boolean {
  return address.kind() === network.kind() && address.match([network, prefix] as never)
}

/** Returns whether an address is a tunnel to an IPv4 address: its interface id is `[02]00:5efe:a.b.c.d` (RFC 5214, 6.1). */
function isIsatap(address: Address): boolean {
  const [high, low] = (address as ipaddr.IPv6).parts.slice(4, 6)
  return low === 0x5efe && ((high ?? 0) & ~0x0200) === 0
}
