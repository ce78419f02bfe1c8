/** What a receiver answered, as text, whatever it was; null for nothing. */
export const bodyText = (body: Buffer | null): string | null => (body?.length ? body.toString() : null)
