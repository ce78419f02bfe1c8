/** The receiver's answer as text, or null when it was empty. */
export const bodyText = (body: Buffer | null): string | null => (body?.length ? body.toString() : null)
