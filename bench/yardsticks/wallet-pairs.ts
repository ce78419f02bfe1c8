export type TransferPlan = { platformId: string; wallets: string[]; pairs: 'one hot wallet' | 'any two' }

/** Returns a function that chooses two wallets: the first one and any other, or any two. */
export function walletPairs(wallets: string[], pairs: TransferPlan['pairs']): () => [from: string, to: string] {
  const any = () => wallets[Math.floor(Math.random() * wallets.length)] as string
  const hot = wallets[0] as string
  return () => {
    const from = pairs === 'any two' ? any() : hot
    let to = any()
    while (to === from) to = any()
    return [from, to]
  }
}
