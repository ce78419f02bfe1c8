/** The host of a URL. URLs of mobile apps (`com.example.app:/done`) have none. */
export function hostOf(address: string): string {
  const url = URL.parse(address)
  return url?.host || url?.protocol.slice(0, -1) || address
}
