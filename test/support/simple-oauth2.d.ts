// The package has no types. These cover what the tests use.
declare module 'simple-oauth2' {
  export type Token = {
    access_token: string
    refresh_token: string
    token_type: string
    expires_in: number
    scope: string
  }

  export class AccessToken {
    token: Token
    refresh(params?: { scope?: string }): Promise<AccessToken>
    revokeAll(): Promise<void>
  }

  export class AuthorizationCode {
    constructor(options: {
      client: { id: string; secret: string }
      auth: { tokenHost: string; tokenPath: string; authorizePath: string; revokePath: string }
      options?: { authorizationMethod: 'body' | 'header' }
    })
    authorizeURL(params: { redirect_uri: string; scope: string; state: string }): string
    getToken(params: { code: string; redirect_uri: string; scope?: string }): Promise<AccessToken>
  }
}
