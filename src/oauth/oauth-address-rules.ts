/** Where the authorization server answers. */
export const oauthAddresses = {
  authorization: '/oauth/authorize', // specification.md 2.3
  token: '/web/v1/auth/oauth/token', // specification.md 2.4
  revocation: '/web/v1/auth/oauth/revoke',
  introspection: '/web/v1/auth/oauth/introspect',
  jwks: '/oauth/jwks',
}

/** Where the page of an authorization request is: the owner consents there. */
export const consentAddress = (uid: string): string => `/oauth/consent/${uid}`
