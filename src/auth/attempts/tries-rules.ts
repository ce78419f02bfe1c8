/** What is tried in vain is slowed: how many tries are free, and of what. */
export const FREE_TRIES = {
  login: 5, // an email, known or not
  device: 5, // a browser in which the owner of the email has signed in before
  address: 50, // from where it is tried: many may share one
  password: 5, // of an owner who is signed in
  second_factor: 5, // of an owner whose password was right
  code: 5, // asked for by mail to one email
  reset_code: 5, // for a new password, asked for by mail to one email
  reset_device: 5, // the same, asked for by a browser in which its owner has signed in before
  reset_address: 50, // from where a new password is asked for or chosen
  link: 20, // to a payment, from one address
} as const

export type TryKind = keyof typeof FREE_TRIES

/** Seconds until the next try, from the last free one on. The last delay stays. */
export const TRY_DELAYS_SECONDS = [30, 60, 120, 240, 480, 900]

/** Without a try for so long, they are forgotten. */
export const TRIES_FORGOTTEN_HOURS = 1
