/** The URLs of the authorization server. */
export const oauthAddresses = {
  authorization: '/oauth/authorize', // specification.md 2.3
  token: '/web/v1/auth/oauth/token', // specification.md 2.4
  revocation: '/web/v1/auth/oauth/revoke',
  introspection: '/web/v1/auth/oauth/introspect',
  jwks: '/oauth/jwks',
}

/** Returns the URL of the page where the owner consents to an authorization request. */
export const consentAddress = (uid: string): string => `/oauth/consent/${uid}`
