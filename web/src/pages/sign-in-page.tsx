import { getRouteApi, useRouter } from '@tanstack/react-router'
import { EntryCard, EntryLayout } from '../layout/entry-layout.tsx'
import { PageHeading } from '../layout/page-heading.tsx'
import { RouterAnchor } from '../layout/router-anchor.tsx'
import { SignInForm } from './sign-in-form.tsx'

const route = getRouteApi('/sign-in')

export function SignInPage() {
  const { back } = route.useSearch()
  const router = useRouter()
  return (
    <EntryLayout>
      <EntryCard
        below={
          <>
            New to Remit?{' '}
            <RouterAnchor to="/sign-up" search={{ back }}>
              Sign up
            </RouterAnchor>
          </>
        }
      >
        <PageHeading title="Sign in to Remit" />
        <SignInForm back={back} onSignedIn={() => router.navigate({ href: back ?? '/' })} />
      </EntryCard>
    </EntryLayout>
  )
}
