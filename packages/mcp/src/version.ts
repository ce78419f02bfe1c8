/** The version of package.json. */
export const VERSION = '0.1.0'
