import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { Separator } from '../../../../src/foundation/lib/text/sheet.ts'
import { api } from '../../api.ts'
import { type FileRow, writeCsv } from './batch-file.ts'

/** Checks rows. Returns their problems and duplicates by row number. `replaced`: the open batch that they would replace. */
export const previewQuery = (rows: FileRow[], separator: Separator, replaced: string | undefined) =>
  queryOptions({
    queryKey: ['batch-preview', rows, separator, replaced],
    queryFn: async () => {
      const preview = await api.previewBatch({ file: writeCsv(rows, separator), batch: replaced ?? null })
      // The answer has one row for each row of the file, in order.
      const numberAt = (index: number) => rows[index]?.number ?? 0
      const numberOfLine = (line: number) => numberAt(preview.rows.findIndex((row) => row.line === line))
      const checks = preview.rows.map(({ errors, duplicate }, index) => ({
        number: numberAt(index),
        errors,
        duplicate: duplicate && { ...duplicate, row: duplicate.line === null ? null : numberOfLine(duplicate.line) },
      }))
      return { amount: preview.amount, checks: new Map(checks.map((check) => [check.number, check])) }
    },
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  })
