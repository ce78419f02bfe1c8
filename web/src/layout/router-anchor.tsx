import { Anchor, type AnchorProps } from '@mantine/core'
import { createLink } from '@tanstack/react-router'
import type { ComponentPropsWithRef } from 'react'

type Props = AnchorProps & Omit<ComponentPropsWithRef<'a'>, keyof AnchorProps>

/** A link to another page of the app. Underlined, because color alone must not mark links in text. */
export const RouterAnchor = createLink((props: Props) => <Anchor underline="always" inherit {...props} />)
