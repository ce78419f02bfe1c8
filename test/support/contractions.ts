/**
 * Finds statements of a migration that could break the previous release. That release may still be serving, and it
 * reads and writes only the columns that it knows. A statement after a `-- contract:` comment, which names the release
 * since which the removed object is unused, is allowed.
 */
export function contractions(sql: string): string[] {
  return sql
    .split(/;\s*$/m)
    .filter((statement) => !/^-- contract: \S/m.test(statement))
    .map((statement) => statement.replaceAll(/--.*$/gm, '').replaceAll(/\s+/g, ' ').trim().toLowerCase())
    .filter((statement) => BREAKING.some((pattern) => pattern.test(statement)))
}

const BREAKING = [
  /\bdrop (table|column|type|function|view|sequence)\b/,
  /\brename\b/,
  /\balter (column )?\w+ (set data )?type\b/,
  /\bset not null\b/,
  /\badd (column )?(if not exists )?\w+ [^,]*\bnot null\b(?![^,]*\b(default|generated)\b)(?<!\bdefault\b[^,]*)/,
  /\badd (constraint \w+ )?(check|unique|foreign key|exclude)\b(?!.*\bnot valid\b)/,
  /\btruncate\b/,
]
