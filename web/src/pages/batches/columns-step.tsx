import { Button, Group, NativeSelect, SimpleGrid } from '@mantine/core'
import { useState } from 'react'
import { ErrorAlert } from '../../error-display.tsx'
import { Section } from '../../layout/section.tsx'
import { count } from '../../shown/count.ts'
import { type Column, columnNames, columns, type Mapping, type SourceFile } from './batch-file.ts'

type Props = {
  source: SourceFile
  mapping: Mapping
  onChange: (mapping: Mapping) => void
  onBack: () => void
  onDone: () => void
}

/** The second step: assigning the columns of the file. */
export function ColumnsStep({ source, mapping, onChange, onBack, onDone }: Props) {
  const [problem, setProblem] = useState<string | null>(null)
  const check = () => {
    const missing = (['name', 'amount'] as const).filter((column) => !mapping.includes(column))
    if (missing.length === 0) return onDone()
    setProblem(`Choose the column for: ${missing.map((column) => columnNames[column]).join(', ')}.`)
  }
  // If a column is chosen a second time, the first choice is removed.
  const choose = (place: number, column: Column | null) => {
    setProblem(null)
    onChange(mapping.map((each, index) => (index === place ? column : each === column ? null : each)))
  }
  return (
    <Section
      title="Columns"
      about={`${source.name} has ${count(source.rows.length, 'row', 'rows')}. Choose what each column contains.`}
    >
      {problem !== null && <ErrorAlert>{problem}</ErrorAlert>}
      <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }} spacing="md">
        {source.heads.map((head, place) => (
          <NativeSelect
            key={place}
            label={head || `Column ${place + 1}`}
            description={sampleOf(source, place)}
            value={mapping[place] ?? ''}
            data={[
              { value: '', label: 'Ignore' },
              ...columns.map((column) => ({ value: column, label: columnNames[column] })),
            ]}
            onChange={({ currentTarget }) => choose(place, (currentTarget.value || null) as Column | null)}
          />
        ))}
      </SimpleGrid>
      <Group gap="sm">
        <Button onClick={check}>Check rows</Button>
        <Button variant="default" onClick={onBack}>
          Choose another file
        </Button>
      </Group>
    </Section>
  )
}

/** Shows the first value of a column as an example of its content. */
function sampleOf({ rows }: SourceFile, place: number): string {
  const sample = rows.find((row) => row[place]?.trim())?.[place]?.trim()
  if (sample === undefined) return 'Empty'
  return `For example ${sample.length > 40 ? `${sample.slice(0, 40)}…` : sample}`
}
