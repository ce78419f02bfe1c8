import { Anchor, type AnchorProps } from '@mantine/core'
import { createLink } from '@tanstack/react-router'
import type { ComponentPropsWithRef } from 'react'

type Props = AnchorProps & Omit<ComponentPropsWithRef<'a'>, keyof AnchorProps>

/** A link to another page of the app. Underlined: links in text must not be told by colour alone. */
export const RouterAnchor = createLink((props: Props) => <Anchor underline="always" inherit {...props} />)
