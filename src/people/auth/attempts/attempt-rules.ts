/** The number of attempts for each kind of subject before delays start. */
export const FREE_ATTEMPTS = {
  login: 5, // sign-ins with one email, registered or not
  device: 5, // sign-ins from a browser in which the owner of the email has signed in before
  address: 50, // sign-ins from one IP address, which many people may share
  password: 5, // passwords entered by a signed-in owner
  second_factor: 5, // codes entered by an owner after the right password
  code: 5, // verification codes requested for one email
  reset_code: 5, // password-reset codes requested for one email
  reset_device: 5, // password-reset codes requested from a browser in which the owner of the email has signed in before
  reset_address: 50, // password resets requested or completed from one IP address
  invitation: 5, // invitations to one email
  link: 20, // payment links opened from one IP address
} as const

export type AttemptKind = keyof typeof FREE_ATTEMPTS

/** The seconds of delay before the next attempt, starting after the last free one. The last delay repeats. */
export const ATTEMPT_DELAYS_SECONDS = [30, 60, 120, 240, 480, 900]

/** The hours without a new attempt after which the attempts of a subject are deleted. */
export const ATTEMPTS_FORGOTTEN_HOURS = 1
