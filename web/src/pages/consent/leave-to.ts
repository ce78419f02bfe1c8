import type { Redirection } from '../../answers.ts'

/** Goes to the address from the service. Never resolves, so that the button keeps its loader until the page is gone. */
export function leaveTo({ redirect_to }: Redirection): Promise<never> {
  window.location.assign(redirect_to)
  return new Promise(() => {})
}
