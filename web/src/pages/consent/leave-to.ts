import type { Redirection } from '../../answers.ts'

/** Leaves for the address that the service gave. Never resolves: the button works on until the browser is gone. */
export function leaveTo({ redirect_to }: Redirection): Promise<never> {
  window.location.assign(redirect_to)
  return new Promise(() => {})
}
