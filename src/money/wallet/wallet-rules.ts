export const WALLET_TYPES = ['INTERNAL', 'EXTERNAL'] as const
export type WalletType = (typeof WALLET_TYPES)[number]

/** The routing and account number for payments into a wallet over one rail. */
export type WalletNumber = { routing: string; account: string }

/** A stable number, derived only from the wallet's id, so that it reveals nothing else. */
export const simulatedNumber = (routing: string, walletId: string): WalletNumber => ({
  routing,
  account: String(BigInt(`0x${walletId}`) % 10n ** 12n).padStart(12, '0'),
})
