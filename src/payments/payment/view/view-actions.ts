import { ApiError } from '../../../foundation/core/errors.ts'
import type { Deps, TxDeps } from '../../../foundation/db/deps.ts'
import { type Caller, personOf } from '../../../foundation/http/caller.ts'
import { newId } from '../../../foundation/lib/ids.ts'
import { MAX_VIEWS, type View, viewNameKey } from './view-rules.ts'
import { deleteView, insertView, listViews, lockViewer, updateView, type Viewer } from './view-store.ts'

/** Lists the views of payments that a member has saved. */
export const getViews = (deps: Pick<Deps, 'sql'>, caller: Caller): Promise<View[]> =>
  listViews(deps.sql, viewerOf(caller))

/** Saves a view. @throws ApiError view_limit_reached, view_exists */
export async function createView(deps: TxDeps, caller: Caller, { name, filters }: Omit<View, 'id'>): Promise<View> {
  const viewer = viewerOf(caller)
  await lockViewer(deps.sql, viewer)
  const views = await listViews(deps.sql, viewer)
  if (views.length >= MAX_VIEWS) throw new ApiError('view_limit_reached')
  requireNewName(views, name)
  const view = { id: newId(deps), name: name.trim(), filters }
  await insertView(deps.sql, viewer, view)
  return view
}

/** Changes the name of a view, its filters, or both. @throws ApiError view_not_found, view_exists */
export async function changeView(
  deps: TxDeps,
  caller: Caller,
  { id, ...change }: { id: string; name?: string; filters?: object },
): Promise<View> {
  const viewer = viewerOf(caller)
  await lockViewer(deps.sql, viewer)
  const views = await listViews(deps.sql, viewer)
  const view = views.find((one) => one.id === id)
  if (!view) throw new ApiError('view_not_found')
  const changed = { id, name: change.name?.trim() ?? view.name, filters: change.filters ?? view.filters }
  requireNewName(
    views.filter((one) => one !== view),
    changed.name,
  )
  await updateView(deps.sql, viewer, changed)
  return changed
}

/** Deletes a view. @throws ApiError view_not_found */
export async function removeView(deps: TxDeps, caller: Caller, id: string): Promise<void> {
  if (!(await deleteView(deps.sql, viewerOf(caller), id))) throw new ApiError('view_not_found')
}

const viewerOf = (caller: Caller): Viewer => ({ platformId: caller.platformId, loginId: personOf(caller) })

function requireNewName(views: readonly View[], name: string): void {
  if (views.some((view) => viewNameKey(view.name) === viewNameKey(name))) throw new ApiError('view_exists')
}
