import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { BackLink } from '../../layout/back-link.tsx'
import { PageHeading } from '../../layout/page-heading.tsx'
import { RouterAnchor } from '../../layout/router-anchor.tsx'
import { useFocusOnStep } from '../../layout/use-focus-on-step.ts'
import { useMay } from '../../permission.ts'
import { Loaded } from '../../shown/loaded.tsx'
import { RefusedPage } from '../refused-page.tsx'
import { type FileRow, guessMapping, type Mapping, readRows, type SourceFile } from './batch-file.ts'
import { batchQuery } from './batch-queries.ts'
import { ColumnsStep } from './columns-step.tsx'
import { DropStep } from './drop-step.tsx'
import { RowsStep } from './rows-step.tsx'
import type { Replaced } from './save-section.tsx'

const route = getRouteApi('/signed-in/batches/new')

/** Creates a batch from a file in three steps: file, columns, rows. With `replace`, it replaces an open batch. */
export function NewBatchPage() {
  const { replace } = route.useSearch()
  if (!useMay('prepare')) return <RefusedPage name="New batch" permission="prepare" />
  return (
    <>
      <BackLink>
        <RouterAnchor to="/batches">Bulk</RouterAnchor>
      </BackLink>
      <PageHeading title={replace === undefined ? 'New batch' : 'Replace file'}>
        Nothing is sent until somebody releases the batch.
      </PageHeading>
      {replace === undefined ? <Steps /> : <ReplacingSteps id={replace} />}
    </>
  )
}

function ReplacingSteps({ id }: { id: string }) {
  const batch = useQuery(batchQuery(id))
  return <Loaded query={batch}>{(data) => <Steps replaced={{ id, name: data.name }} />}</Loaded>
}

function Steps({ replaced }: { replaced?: Replaced }) {
  const [source, setSource] = useState<SourceFile | null>(null)
  const [mapping, setMapping] = useState<Mapping>([])
  const [rows, setRows] = useState<FileRow[] | null>(null)
  useFocusOnStep(source === null ? 'file' : rows === null ? 'columns' : 'rows')
  if (source === null) {
    return (
      <DropStep
        onRead={(file) => {
          setSource(file)
          setMapping(guessMapping(file.heads))
        }}
      />
    )
  }
  if (rows === null) {
    return (
      <ColumnsStep
        source={source}
        mapping={mapping}
        onChange={setMapping}
        onBack={() => setSource(null)}
        onDone={() => setRows(readRows(source, mapping))}
      />
    )
  }
  return (
    <RowsStep
      rows={rows}
      separator={source.separator}
      onChange={setRows}
      onBack={() => setRows(null)}
      name={replaced?.name ?? source.name.replace(/\.\w+$/, '').slice(0, 80)}
      replaced={replaced}
    />
  )
}
