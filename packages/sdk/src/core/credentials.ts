import type { OAuth, Tokens } from '../oauth.ts'
import { ConfigurationError } from './errors.ts'
import { readVariable } from './settings.ts'

/** An API key, or the tokens of an application. */
export type CredentialOptions = {
  /** Default: `REMIT_KEY`. */
  key?: string
  /** Default: `REMIT_SECRET`. */
  secret?: string
  /** The tokens of an application that acts for an account holder, instead of a key. */
  tokens?: Tokens
  /** Refreshes the tokens when they expire. */
  oauth?: OAuth
  /** Stores refreshed tokens. Requests wait until it has finished. */
  onTokens?: (tokens: Tokens) => void | Promise<void>
}

export interface Credentials {
  /** Returns the `Authorization` header, with tokens that are refreshed if necessary. */
  header(): Promise<string>
  /** Notes that the service refused a header. @returns whether there is another one */
  refuse(header: string | null): boolean
}

/** @throws ConfigurationError */
export function readCredentials(options: CredentialOptions): Credentials {
  if (options.tokens) return new TokenCredentials(options.tokens, options)
  const { key = readVariable('REMIT_KEY'), secret = readVariable('REMIT_SECRET') } = options
  if (!key || !secret)
    throw new ConfigurationError('Set key and secret, or the variables REMIT_KEY and REMIT_SECRET, or tokens.')
  const header = `${key}:${secret}`
  if (!/^[\x21-\x7e]+$/.test(header))
    throw new ConfigurationError('key or secret contains white space or other characters.')
  return { header: async () => header, refuse: () => false }
}

/** The time before their expiry at which tokens are refreshed. */
const EARLY_MS = 30_000

class TokenCredentials implements Credentials {
  #tokens: Tokens
  #isRefused = false
  #refreshing: Promise<void> | null = null
  readonly #options: Pick<CredentialOptions, 'oauth' | 'onTokens'>

  constructor(tokens: Tokens, options: Pick<CredentialOptions, 'oauth' | 'onTokens'>) {
    this.#tokens = tokens
    this.#options = options
  }

  async header(): Promise<string> {
    const { expires_at } = this.#tokens
    const ends = expires_at !== undefined && Date.parse(expires_at) - Date.now() < EARLY_MS
    if (this.#canRefresh() && (ends || this.#isRefused)) await this.#refresh()
    return this.#header()
  }

  refuse(header: string | null): boolean {
    // Another request may have refreshed the tokens in the meantime.
    if (header === this.#header()) this.#isRefused = true
    return this.#canRefresh()
  }

  #header(): string {
    return `Bearer ${this.#tokens.access_token}`
  }

  #canRefresh(): boolean {
    return this.#options.oauth !== undefined && this.#tokens.refresh_token !== undefined
  }

  /** Requests that need new tokens at the same time share one refresh. A second one could end the tokens of the first. */
  #refresh(): Promise<void> {
    this.#refreshing ??= this.#fetchTokens().finally(() => {
      this.#refreshing = null
    })
    return this.#refreshing
  }

  async #fetchTokens(): Promise<void> {
    const { oauth, onTokens } = this.#options
    this.#tokens = await (oauth as OAuth).refresh(this.#tokens)
    this.#isRefused = false
    await onTokens?.(this.#tokens)
  }
}
