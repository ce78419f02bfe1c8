export const WALLET_TYPES = ['INTERNAL', 'EXTERNAL'] as const
export type WalletType = (typeof WALLET_TYPES)[number]

/** The routing and account number for payments into a wallet over one rail. */
export type WalletNumber = { routing: string; account: string }

/** Returns the simulated account number of a wallet. It is derived only from the wallet's id, so it is stable and reveals nothing else. */
export const simulatedNumber = (routing: string, walletId: string): WalletNumber => ({
  routing,
  account: String(BigInt(`0x${walletId}`) % 10n ** 12n).padStart(12, '0'),
})
