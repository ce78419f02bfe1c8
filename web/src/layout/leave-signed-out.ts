/** Loads the sign-in page anew, so that nothing of the owner stays in memory. */
export const leaveSignedOut = () => window.location.assign('/sign-in')
