/** A call of one operation through a generated client. */
export type Call = {
  operationId: string
  baseUrl: string
  credential: string
  path: Record<string, string>
  query: Record<string, string>
  body: unknown
}

export type Called = { status: number; body: unknown }

export type GeneratedClient = {
  name: string
  /** Fails when the client refuses the request or its response. */
  call(call: Call): Promise<Called>
  end(): void
}
