export type OAuthError = { error: string; description: string }

/** For a failed authorization, the service returns this app with the reason in two meta elements. */
export function readOAuthError(page: Document): OAuthError | null {
  const content = (name: string) => page.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content
  const error = content('remit-error')
  return error === undefined ? null : { error, description: content('remit-error-description') ?? '' }
}

/** The meaning of each error, for a person who only followed a link. */
export const oauthErrorWords: Record<string, string> = {
  invalid_client: 'This application is not registered with Remit.',
  unknown_client: 'This application is not registered with Remit.',
  invalid_redirect_uri: 'The application used a redirect URI that it has not registered.',
  invalid_scope: 'The application requested access that Remit does not offer.',
  invalid_request: 'The application sent an invalid request.',
  unauthorized_client: 'The application is not allowed to request this.',
  unsupported_response_type: 'The application requested a response that Remit does not support.',
  server_error: 'Something went wrong on our side. Try again later.',
  temporarily_unavailable: 'Remit is temporarily unavailable.',
}
