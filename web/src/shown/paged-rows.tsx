import { VisuallyHidden } from '@mantine/core'
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ErrorAlert, LoadFailure } from '../error-display.tsx'
import { errorText } from '../form/field-errors.ts'
import { count } from './count.ts'
import { Loaded } from './loaded.tsx'
import { MoreButton } from './more-button.tsx'
import classes from './paged-rows.module.css'
import { SkeletonRows } from './skeleton-rows.tsx'

/** `next`: the cursor of the next page, or null. `searched_to`: the time up to which a search went that stopped before the end. */
type Page = { next: string | null; searched_to?: string | null }

type Props<One extends Page, Row> = {
  query: UseInfiniteQueryResult<InfiniteData<One>>
  rowsOf: (page: One) => Row[]
  /** The name of one row and of several. */
  one: string
  many: string
  empty: ReactNode
  children: (rows: Row[]) => ReactNode
}

/** The rows of all loaded pages, with a button for the next page. Tells screen readers how many rows there are. */
export function PagedRows<One extends Page, Row>({ query, rowsOf, one, many, empty, children }: Props<One, Row>) {
  return (
    <>
      {query.isRefetchError && <LoadFailure error={query.error} onRetry={query.refetch} />}
      <Loaded query={query} skeleton={<SkeletonRows />}>
        {({ pages }) => {
          const rows = pages.flatMap(rowsOf)
          const searchedTo = pages.at(-1)?.searched_to ?? null
          return (
            <div className={classes.results} aria-busy={query.isPlaceholderData}>
              <VisuallyHidden role="status">{count(rows.length, one, many)} shown</VisuallyHidden>
              {rows.length > 0 && children(rows)}
              {rows.length === 0 && searchedTo === null && empty}
              {query.isFetchNextPageError && <ErrorAlert>{errorText(query.error)}</ErrorAlert>}
              {query.hasNextPage && (
                <MoreButton
                  rows={many}
                  searchedTo={searchedTo}
                  hasRows={rows.length > 0}
                  isLoading={query.isFetchingNextPage}
                  onMore={query.fetchNextPage}
                />
              )}
            </div>
          )
        }}
      </Loaded>
    </>
  )
}
