/** Limits failed attempts: the number of free attempts for each kind of subject. */
export const FREE_ATTEMPTS = {
  login: 5, // an email, registered or not
  device: 5, // a browser in which the owner of the email has signed in before
  address: 50, // the IP address of the attempt; many people may share one
  password: 5, // a signed-in owner
  second_factor: 5, // an owner who entered the right password
  code: 5, // codes requested by mail for one email
  reset_code: 5, // password-reset codes requested for one email
  reset_device: 5, // the same, from a browser in which its owner has signed in before
  reset_address: 50, // the IP address that requests or completes a password reset
  invitation: 5, // invitations to one email
  link: 20, // payment links, from one IP address
} as const

export type AttemptKind = keyof typeof FREE_ATTEMPTS

/** Delays before the next attempt, starting with the last free one. The last delay repeats. */
export const ATTEMPT_DELAYS_SECONDS = [30, 60, 120, 240, 480, 900]

/** Attempts are forgotten after this time without a new one. */
export const ATTEMPTS_FORGOTTEN_HOURS = 1
