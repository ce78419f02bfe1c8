import { Input, NativeSelect, type NativeSelectProps } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { LoadFailure } from '../../error-display.tsx'
import { RouterAnchor } from '../../layout/router-anchor.tsx'
import { dollars } from '../../shown/dollars.ts'
import { banksQuery, walletsQuery } from './account-queries.ts'
import { nameOfBank } from './account-words.ts'

const LOADING = [{ value: '', label: 'Loading…' }]

/** The accounts that can pay: verified banks, the default one first, and wallets. */
export function FundingField({ value, ...given }: Omit<NativeSelectProps, 'label' | 'data'> & { value: string }) {
  const banks = useQuery(banksQuery)
  const wallets = useQuery(walletsQuery)
  const verified = (banks.data ?? []).filter(({ status }) => status === 'VERIFIED')
  const options = [
    ...verified
      .toSorted((a, b) => Number(b.default) - Number(a.default))
      .map((bank) => ({ value: bank.id, label: nameOfBank(bank) })),
    ...(wallets.data ?? []).map(({ id, name, balance }) => ({
      value: id,
      label: `${name ?? 'Wallet'} (${dollars(balance)})`,
    })),
  ]
  const failed = [banks, wallets].find(({ error, data }) => error && data === undefined)
  if (failed?.error) {
    return (
      <Input.Wrapper label="From">
        <LoadFailure error={failed.error} onRetry={failed.refetch} />
      </Input.Wrapper>
    )
  }
  const isLoaded = banks.data !== undefined && wallets.data !== undefined
  if (isLoaded && options.length === 0) {
    return (
      <Input.Wrapper label="From">
        <div>
          No verified bank account yet. <RouterAnchor to="/accounts">Add and verify one</RouterAnchor>.
        </div>
      </Input.Wrapper>
    )
  }
  return (
    <NativeSelect
      label="From"
      data={isLoaded ? options : LOADING}
      {...given}
      value={isLoaded ? value || options[0]?.value || '' : ''}
    />
  )
}
