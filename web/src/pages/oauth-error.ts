export type OAuthError = { error: string; description: string }

/** The service answers an authorization that cannot go on with this app and says why in two meta elements. */
export function readOAuthError(page: Document): OAuthError | null {
  const content = (name: string) => page.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content
  const error = content('remit-error')
  return error === undefined ? null : { error, description: content('remit-error-description') ?? '' }
}

/** What each error means for somebody who only followed a link. */
export const oauthErrorWords: Record<string, string> = {
  invalid_client: 'The application that sent you here is not known to Remit.',
  unknown_client: 'The application that sent you here is not known to Remit.',
  invalid_redirect_uri: 'The application asked to be answered at an address that it has not registered.',
  invalid_scope: 'The application asked for something that Remit does not give.',
  invalid_request: 'The application sent a request that Remit cannot read.',
  unauthorized_client: 'The application may not ask for this.',
  unsupported_response_type: 'The application asked in a way that Remit does not support.',
  server_error: 'Something went wrong on our side.',
  temporarily_unavailable: 'Remit is not available at the moment.',
}
