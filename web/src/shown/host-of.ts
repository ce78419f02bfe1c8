/** The part of an address that says whose it is. Addresses of mobile apps (`com.example.app:/done`) have no host. */
export function hostOf(address: string): string {
  const url = URL.parse(address)
  return url?.host || url?.protocol.slice(0, -1) || address
}
