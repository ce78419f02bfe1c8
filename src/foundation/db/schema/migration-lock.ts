/** An arbitrary number, equal in every process: its holder migrates. */
export const MIGRATION_LOCK = 7_265_109_001
