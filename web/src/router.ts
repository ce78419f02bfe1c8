import { createRouter } from '@tanstack/react-router'
import { focusHeading } from './layout/page-heading.tsx'
import { queryClient } from './query-client.ts'
import { routeTree } from './routes.tsx'

export const router = createRouter({
  routeTree,
  context: { queryClient },
  scrollRestoration: true,
  defaultPreload: 'intent',
  // A page that goes from one payment to another is mounted again. Otherwise it would keep parts of the first one.
  defaultRemountDeps: ({ params }) => params,
})

// Loads the scripts of the first page while the service answers who is signed in.
for (const { options } of router.getMatchedRoutes(window.location.pathname)[0]) void options.component?.preload?.()

// Focusing the heading announces a new page, as a full page load would.
router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
  if (fromLocation && pathChanged) focusHeading()
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
