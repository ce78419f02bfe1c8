import { Stack, Text } from '@mantine/core'
import { Dropzone } from '@mantine/dropzone'
import '@mantine/dropzone/styles.layer.css'
import { IconFileUpload } from '@tabler/icons-react'
import { useState } from 'react'
import { ErrorAlert } from '../../error-display.tsx'
import { Section } from '../../layout/section.tsx'
import { readSource, type SourceFile } from './batch-file.ts'
import classes from './batches.module.css'
import { TemplateButton } from './batches-page.tsx'

const MAX_BYTES = 4 * 1024 * 1024

/** The first step: choosing a CSV file. Some systems report the type of a CSV file as text or Excel. */
export function DropStep({ onRead }: { onRead: (source: SourceFile) => void }) {
  const [problem, setProblem] = useState<string | null>(null)
  const read = async ([file]: File[]) => {
    if (!file) return
    const source = await readSource(file)
    if (typeof source === 'string') setProblem(source)
    else onRead(source)
  }
  return (
    <Section
      title="File"
      about="A CSV file whose first line names the columns, with a row for each payment. A row needs a payee, an amount, and an email or a postal address. With account and routing number the payment goes into that account."
      action={<TemplateButton />}
    >
      {problem !== null && <ErrorAlert>{problem}</ErrorAlert>}
      <Dropzone
        className={classes.drop}
        onDrop={read}
        onReject={() => setProblem('Choose one CSV file of at most 4 MB.')}
        accept={{ 'text/csv': ['.csv'], 'text/plain': ['.csv', '.txt'], 'application/vnd.ms-excel': ['.csv'] }}
        multiple={false}
        maxSize={MAX_BYTES}
        inputProps={{ 'aria-label': 'CSV file' }}
      >
        <Stack align="center" gap={4}>
          <IconFileUpload size={28} stroke={1.5} aria-hidden />
          <Text fw={600}>Drop a CSV file here, or choose one</Text>
          <Text size="sm" c="dimmed">
            Up to 1,500 rows
          </Text>
        </Stack>
      </Dropzone>
    </Section>
  )
}
