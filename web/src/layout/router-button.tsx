import { Button, type ButtonProps } from '@mantine/core'
import { createLink } from '@tanstack/react-router'
import type { ComponentPropsWithRef } from 'react'

type Props = ButtonProps & Omit<ComponentPropsWithRef<'a'>, keyof ButtonProps>

/** A link to another page of the app that looks like a button. */
export const RouterButton = createLink((props: Props) => <Button component="a" {...props} />)
