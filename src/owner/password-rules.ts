/** In characters. */
export const MIN_PASSWORD_LENGTH = 8
export const MAX_PASSWORD_LENGTH = 200

/** The first ones that anybody tries, of those that are long enough. */
const COMMON_PASSWORDS = new Set(
  `12345678 123456789 1234567890 0123456789 87654321 987654321 11111111 00000000 88888888 12341234 123123123 12121212
  password password1 password12 password123 passw0rd p@ssw0rd p@ssword qwertyuiop qwerty123 qwerty12 qwertyui 1q2w3e4r
  1q2w3e4r5t 1qaz2wsx zaq12wsx asdfghjk asdfghjkl q1w2e3r4 abcd1234 abc12345 abcdefgh a1234567 aa123456 aaaaaaaa iloveyou
  iloveyou1 sunshine princess football baseball superman batman123 trustno1 starwars whatever computer internet letmein1
  letmein123 welcome1 welcome123 changeme changeme1 admin123 administrator dragon123 monkey123 master123 michael1
  jennifer corvette mercedes maverick samantha jordan23 liverpool charlie1 secret123 test1234 testtest user1234`.split(
    /\s+/,
  ),
)

/** What is wrong with a new password, null for nothing. */
export function passwordProblem({ password, email }: { password: string; email: string }): string | null {
  const length = [...password].length
  if (length < MIN_PASSWORD_LENGTH) return `must have at least ${MIN_PASSWORD_LENGTH} characters`
  if (length > MAX_PASSWORD_LENGTH) return `must have at most ${MAX_PASSWORD_LENGTH} characters`
  const lowerCase = password.toLowerCase()
  if (lowerCase === email.toLowerCase()) return 'must not be the email address'
  return COMMON_PASSWORDS.has(lowerCase) ? 'is one of those that are tried first' : null
}
