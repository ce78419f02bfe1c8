import { join } from 'node:path'
import type { Cluster } from './embedded-cluster.ts'
import { replaceFile } from './embedded-files.ts'

/** Written at each start, so that they also apply to clusters of an older Remit. `alter system` takes precedence. */
const SETTINGS = {
  cluster_name: 'remit',
  max_connections: '100',
  shared_buffers: '256MB',
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  wal_compression: 'on',
  max_wal_size: '2GB',
  min_wal_size: '1GB', // keeps WAL files for use again. While PostgreSQL creates one, no transaction commits
  checkpoint_timeout: '15min',
  jit: 'off', // short statements
  timezone: 'UTC',
  client_connection_check_interval: '1s', // stops statements of a killed service
  // Statements, parameters and rows contain secrets. `log` leaves out errors that concern only the client.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
  log_statement: 'none',
  log_min_duration_statement: '-1',
  log_min_duration_sample: '-1',
  log_parameter_max_length: '0',
  log_parameter_max_length_on_error: '0',
  log_checkpoints: 'off',
  log_autovacuum_min_duration: '-1',
  log_timezone: 'UTC',
  lc_messages: 'C',
} as const

/** Set on the command line, because the service depends on them. */
const ADDRESS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '', // a path can be too long for a socket
}

/** Command line options. */
export function settingOptions(cluster: Cluster): string[] {
  const fixed = { ...ADDRESS, port: cluster.port, config_file: settingsFile(cluster) }
  return Object.entries(fixed).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}

/** In addition to `initdb`'s file, which fits this machine. */
export async function writeSettings(cluster: Cluster): Promise<void> {
  const text = [
    '# Written by Remit at each start: change settings with alter system.',
    "include 'data/postgresql.conf'",
    ...Object.entries(SETTINGS).map(([name, value]) => `${name} = '${value}'`),
    '',
  ].join('\n')
  await replaceFile(settingsFile(cluster), text, { owner: cluster.account })
}

function settingsFile({ folder }: Cluster): string {
  return join(folder, 'remit.conf')
}
