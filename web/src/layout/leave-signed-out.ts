/** Reloads the page, so that no data of the owner stays in memory. */
export const leaveSignedOut = () => window.location.assign('/sign-in')
