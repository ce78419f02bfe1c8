import { Text } from '@mantine/core'
import type { Permission } from '../answers.ts'
import { PageHeading } from '../layout/page-heading.tsx'
import { RouterAnchor } from '../layout/router-anchor.tsx'
import { Section } from '../layout/section.tsx'
import { permissionWords, roleWithArticle } from '../role-words.ts'
import { useServiceContext } from '../service-context.ts'
import { homePage, settingsPages } from '../settings-pages.ts'

const nameOf = (path: string): string => settingsPages.find(({ to }) => to === path)?.name ?? 'Home'

/** Replaces a page that the role cannot open. */
export function RefusedPage({ name, permission }: { name: string; permission: Permission }) {
  const { owner } = useServiceContext()
  if (!owner) return null
  const what = permissionWords[permission]
  return (
    <>
      <PageHeading title={name} />
      <Section title="Your role doesn’t include this page">
        <Text>
          You’re {roleWithArticle(owner.role)} of <strong>{owner.platform}</strong>. This page needs the permission “
          {what}”. To get it, ask an owner or an admin.
        </Text>
        <Text>
          <RouterAnchor to={homePage(owner)}>Go to {nameOf(homePage(owner))}</RouterAnchor>
        </Text>
      </Section>
    </>
  )
}
