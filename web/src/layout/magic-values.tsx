import { Table, Text } from '@mantine/core'
import { DialogButton } from '../shown/dialog-button.tsx'

/** The magic values of `docs/money.md`. `test/send-pages.test.ts` compares the two. */
export const magicAccounts: [account: string, outcome: string][] = [
  ['9999999901', 'Returned R01, insufficient funds'],
  ['9999999902', 'Returned R02, account closed'],
  ['9999999903', 'Returned R03, no account'],
  ['9999999910', 'Returned R10, not authorized'],
  ['9999999920', 'Returned R10, late'],
  ['9999999930', 'Settles three banking days later'],
  ['9999999940', 'Succeeds, and the number is corrected'],
  ['9999999950', 'The micro-deposits come back'],
]

export const magicCents: [cents: string, outcome: string][] = [
  ['.61', 'The debit returns R01'],
  ['.62', 'The payout returns R02'],
  ['.63', 'The payout returns R03'],
  ['.64', 'The debit returns R10, late'],
  ['.65', 'The payout returns R10, late'],
  ['.66', 'The payout is slow'],
  ['.71 to .74', 'A mailed check comes back'],
  ['.81 to .83', 'The payout returns 04, 05, 06'],
]

/** Lists the values that cause outcomes in the sandbox. */
export const MagicValuesButton = () => (
  <DialogButton label="Test values" title="Test values" size="compact-xs">
    {() => (
      <>
        <Text mb="md">Micro-deposits are always $0.07 and $0.15. Every account and amount succeeds, except these.</Text>
        <Values caption="Account numbers" head="Account number" rows={magicAccounts} />
        <Values caption="Amounts" head="Cents of the amount" rows={magicCents} />
      </>
    )}
  </DialogButton>
)

type Props = { caption: string; head: string; rows: [string, string][] }

const Values = ({ caption, head, rows }: Props) => (
  <Table aria-label={caption} mb="md" layout="fixed">
    <Table.Thead>
      <Table.Tr>
        <Table.Th scope="col">{head}</Table.Th>
        <Table.Th scope="col">Outcome</Table.Th>
      </Table.Tr>
    </Table.Thead>
    <Table.Tbody>
      {rows.map(([value, outcome]) => (
        <Table.Tr key={value}>
          <Table.Td>
            <code>{value}</code>
          </Table.Td>
          <Table.Td>{outcome}</Table.Td>
        </Table.Tr>
      ))}
    </Table.Tbody>
  </Table>
)
