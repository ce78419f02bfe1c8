/** The advisory lock of migrations: an arbitrary number that all processes use. Only its holder migrates. */
export const MIGRATION_LOCK = 7_265_109_001
