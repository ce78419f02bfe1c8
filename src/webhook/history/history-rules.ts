/** Returns the receiver's answer as text, or null if it was empty. */
export const bodyText = (body: Buffer | null): string | null => (body?.length ? body.toString() : null)
