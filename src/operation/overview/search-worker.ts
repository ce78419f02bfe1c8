import type { BackgroundStep } from '../../foundation/db/background/background-step.ts'
import { refreshWanted } from '../../foundation/db/background/wanted-platforms.ts'
import type { Deps } from '../../foundation/db/deps.ts'
import { readTerms } from './search-actions.ts'

export const searchStep: BackgroundStep = { name: 'read search terms', run: readDueSearchTerms, isWoken: false }

/** One pass: reads the payments of platforms that were searched recently. @returns the number of platforms with more to read */
export function readDueSearchTerms(deps: Deps): Promise<number> {
  const given = { step: searchStep.name, progress: 'search_progress' }
  return refreshWanted(deps, given, (platformId) => readTerms(deps, platformId))
}
