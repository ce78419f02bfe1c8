import { Badge, Text, Title } from '@mantine/core'
import type { BankConnection, BankFile } from '../../answers.ts'
import { ShortMoment } from '../../shown/moment.tsx'
import { type Column, RecordsTable } from '../../shown/records-table.tsx'
import { fileStatusWords, kindWords, sizeText } from './bank-words.ts'

/** The files of today, and earlier ones that are not done. */
export const FilesTable = ({ connection: { id, files } }: { connection: BankConnection }) => (
  <div>
    <Title order={3} mb="xs">
      Files today
    </Title>
    <RecordsTable
      caption={`Files of ${id} today, newest first`}
      columns={columns}
      rows={files}
      empty="No file was sent or received today, and none is open."
    />
  </div>
)

const columns: Column<BankFile>[] = [
  {
    head: 'File',
    onPhone: 'main',
    cell: ({ name, attention }) => (
      <>
        <Text fw={500} style={{ overflowWrap: 'anywhere' }}>
          {name}
        </Text>
        {attention !== null && <Text c="red">{attention}</Text>}
      </>
    ),
  },
  {
    head: 'Kind',
    onPhone: 'line',
    cell: ({ kind, direction }) => `${kindWords[kind]}, ${direction === 'out' ? 'to the bank' : 'from the bank'}`,
  },
  { head: 'Time', onPhone: 'line', cell: ({ time }) => <ShortMoment utc={time} /> },
  { head: 'Size', onPhone: 'line', isNumber: true, cell: ({ size }) => sizeText(size) },
  {
    head: 'Status',
    onPhone: 'end',
    cell: ({ status }) => (
      <Badge color={fileStatusWords[status].color} variant="light" radius="sm" tt="none" fw={600} miw="max-content">
        {fileStatusWords[status].text}
      </Badge>
    ),
  },
]
