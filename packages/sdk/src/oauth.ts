import { ConfigurationError, ConnectionError, OAuthError } from './core/errors.ts'
import { type ConnectionOptions, readSettings, type Settings } from './core/settings.ts'
import { withTimeLimit } from './core/time-limit.ts'

/** The tokens of one authorization. They can be stored as JSON. */
export type Tokens = {
  access_token: string
  refresh_token?: string
  /** A time in ISO 8601. */
  expires_at?: string
  scope?: string
}

/** `check` sends payments until the account holder disconnects the application, `single-use` sends one. */
export type Scope = 'check' | 'single-use'

export type OAuthOptions = Pick<ConnectionOptions, 'baseUrl' | 'environment' | 'timeoutMs' | 'fetch'> & {
  clientId: string
  clientSecret: string
  /** The redirect URI, exactly as registered. */
  redirectUri: string
}

/** Values that the callback needs. Keep them in the session of the person's browser. */
export type PendingAuthorization = { url: string; state: string; codeVerifier: string }

/** The authorization code flow with PKCE (RFC 6749, 7636, 9207), for an application that acts for an account holder. */
export class OAuth {
  readonly #settings: Settings
  readonly #client: Pick<OAuthOptions, 'clientId' | 'clientSecret' | 'redirectUri'>

  constructor({ clientId, clientSecret, redirectUri, ...connection }: OAuthOptions) {
    if (!clientId || !clientSecret || !redirectUri)
      throw new ConfigurationError('Set clientId, clientSecret and redirectUri.')
    this.#client = { clientId, clientSecret, redirectUri }
    this.#settings = readSettings(connection)
  }

  /** Returns the URL that the person's browser opens, and the secrets that the callback needs. */
  async authorizeUrl({ scope }: { scope: Scope }): Promise<PendingAuthorization> {
    const [state, codeVerifier] = [randomText(), randomText()]
    const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(codeVerifier))
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: this.#client.clientId,
      redirect_uri: this.#client.redirectUri,
      scope,
      state,
      code_challenge: toBase64Url(new Uint8Array(digest)),
      code_challenge_method: 'S256',
    })
    return { url: `${this.#settings.baseUrl}/oauth/authorize?${query}`, state, codeVerifier }
  }

  /**
   * Exchanges the code in the URL of the callback for tokens.
   *
   * @param callbackUrl the URL that the browser opened, or its query
   * @throws OAuthError `access_denied` if the person declined, `invalid_callback` if the answer is not to this authorization
   */
  async exchange(
    callbackUrl: string | URL,
    { state, codeVerifier }: Pick<PendingAuthorization, 'state' | 'codeVerifier'>,
  ): Promise<Tokens> {
    const query = new URL(callbackUrl, this.#client.redirectUri).searchParams
    if (!state || query.get('state') !== state) throw invalidCallback('state')
    if (query.get('iss')?.replace(/\/+$/, '') !== this.#settings.baseUrl) throw invalidCallback('iss')
    const error = query.get('error')
    if (error !== null)
      throw new OAuthError(query.get('error_description') ?? `The authorization failed: ${error}.`, error)
    const code = query.get('code')
    if (code === null) throw invalidCallback('code')
    return this.#tokens({
      grant_type: 'authorization_code',
      code,
      redirect_uri: this.#client.redirectUri,
      code_verifier: codeVerifier,
    })
  }

  /** Returns new tokens. A client that has this helper calls it automatically. @throws OAuthError `invalid_grant` if they have ended */
  async refresh({ refresh_token }: Tokens): Promise<Tokens> {
    if (!refresh_token) throw new OAuthError('There is no refresh token.', 'invalid_grant')
    return { refresh_token, ...(await this.#tokens({ grant_type: 'refresh_token', refresh_token })) }
  }

  /** Ends the tokens of an authorization. */
  async revoke({ access_token, refresh_token }: Tokens): Promise<void> {
    for (const token of [refresh_token, access_token])
      if (token) await this.#post('/web/v1/auth/oauth/revoke', { token })
  }

  async #tokens(form: Record<string, string>): Promise<Tokens> {
    const answer = (await this.#post('/web/v1/auth/oauth/token', form)) as Record<string, unknown> | null
    if (typeof answer?.access_token !== 'string') throw new ConnectionError('The answer has no access token.')
    const { access_token, refresh_token, expires_in, scope } = answer
    return {
      access_token,
      ...(typeof refresh_token === 'string' && { refresh_token }),
      ...(typeof expires_in === 'number' && { expires_at: new Date(Date.now() + expires_in * 1_000).toISOString() }),
      ...(typeof scope === 'string' && { scope }),
    }
  }

  /** Sends a form once: a code works once, and a repeated one would end its tokens. */
  async #post(path: string, form: Record<string, string>): Promise<unknown> {
    const { baseUrl, fetch, timeoutMs } = this.#settings
    const { clientId, clientSecret } = this.#client
    return withTimeLimit({ ms: timeoutMs, signal: undefined }, async (signal) => {
      const response = await fetch(`${baseUrl}${path}`, {
        method: 'POST',
        redirect: 'manual',
        signal,
        headers: {
          accept: 'application/json',
          authorization: `Basic ${btoa(`${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`)}`,
          'content-type': 'application/x-www-form-urlencoded',
        },
        body: new URLSearchParams(form).toString(),
      }).catch((cause) => {
        throw new ConnectionError('The authorization server did not answer.', { isTransient: true, cause })
      })
      return readAnswer(response)
    })
  }
}

async function readAnswer(response: Response): Promise<unknown> {
  const answer = await response.json().catch(() => null)
  if (response.ok) return answer
  const { error, error_description } = (answer ?? {}) as { error?: string; error_description?: string }
  if (typeof error === 'string') throw new OAuthError(error_description ?? error, error)
  const isTransient = response.status === 429 || response.status >= 500
  throw new ConnectionError(`The authorization server answered ${response.status}.`, { isTransient })
}

const invalidCallback = (parameter: string) =>
  new OAuthError(
    `The callback does not belong to this authorization: ${parameter} is missing or wrong.`,
    'invalid_callback',
  )

const randomText = () => toBase64Url(crypto.getRandomValues(new Uint8Array(32)))

const toBase64Url = (bytes: Uint8Array) =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
