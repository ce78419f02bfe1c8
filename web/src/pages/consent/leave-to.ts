import type { Redirection } from '../../answers.ts'

/** Goes to the address from the service. Never resolves, so that the button shows its loader until the browser leaves the page. */
export function leaveTo({ redirect_to }: Redirection): Promise<never> {
  window.location.assign(redirect_to)
  return new Promise(() => {})
}
