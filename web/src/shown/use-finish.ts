import { useQueryClient } from '@tanstack/react-query'
import { notify } from './notify.ts'

/** Returns a function that ends a dialog: it refreshes a list, closes the dialog and shows a notice. */
export function useFinish(list: { queryKey: readonly unknown[] }, close: () => void) {
  const queryClient = useQueryClient()
  return async (message: string) => {
    await queryClient.invalidateQueries(list)
    close()
    notify(message)
  }
}
