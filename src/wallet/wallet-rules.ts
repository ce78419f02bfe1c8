export const WALLET_TYPES = ['INTERNAL', 'EXTERNAL'] as const
export type WalletType = (typeof WALLET_TYPES)[number]

/** Where others can pay into a wallet over one rail. */
export type WalletNumber = { routing: string; account: string }

/** The same for a wallet each time, and taken from nothing but its id, which says nothing of anybody. */
export const simulatedNumber = (routing: string, walletId: string): WalletNumber => ({
  routing,
  account: String(BigInt(`0x${walletId}`) % 10n ** 12n).padStart(12, '0'),
})
