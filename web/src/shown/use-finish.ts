import { useQueryClient } from '@tanstack/react-query'
import { notify } from './notify.ts'

/** Ends a dialog: refreshes a list, closes the dialog and says what was done. */
export function useFinish(list: { queryKey: readonly unknown[] }, close: () => void) {
  const queryClient = useQueryClient()
  return async (message: string) => {
    await queryClient.invalidateQueries(list)
    close()
    notify(message)
  }
}
