export const WALLET_TYPES = ['INTERNAL', 'EXTERNAL'] as const
export type WalletType = (typeof WALLET_TYPES)[number]
