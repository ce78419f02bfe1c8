import { createRouter } from '@tanstack/react-router'
import { focusHeading } from './layout/page-heading.tsx'
import { queryClient } from './query-client.ts'
import { routeTree } from './routes.tsx'

export const router = createRouter({
  routeTree,
  context: { queryClient },
  scrollRestoration: true,
  defaultPreload: 'intent',
})

// A new page is announced by its heading, as a page that the browser itself loads would be.
router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
  if (fromLocation && pathChanged) focusHeading()
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
