import { parseArgs } from 'node:util'
import { runClusterBench } from './cluster-run.ts'

// npm run bench-cluster: payments on plain PostgreSQL, on Citus with one worker, and with all of them. See docs/scale-out.md.

const HELP = `npm run bench-cluster -- --servers URL,URL,URL [--seconds 10] [--runs 3] [--connections 32] [--platforms 8]

Measures POST /v3/check/digital on servers with Citus, each database in turn, and writes bench/results/cluster.json. The URLs are for a
superuser, the coordinator first. The databases are deleted after the run.
`

const { values: flags } = parseArgs({
  options: {
    servers: { type: 'string' },
    seconds: { type: 'string', default: '10' },
    runs: { type: 'string', default: '3' },
    connections: { type: 'string', default: '32' },
    platforms: { type: 'string', default: '8' },
    help: { type: 'boolean', short: 'h' },
  },
})

const servers = flags.servers?.split(',') ?? []
if (flags.help || servers.length < 2) console.log(HELP)
else
  await runClusterBench(servers, {
    seconds: Number(flags.seconds),
    runs: Number(flags.runs),
    connections: Number(flags.connections),
    platforms: Number(flags.platforms),
  })
process.exitCode = flags.help || servers.length >= 2 ? 0 : 1
