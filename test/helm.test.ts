import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { mkdir, readdir, readFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { basename, join } from 'node:path'
import { suite, test } from 'node:test'
import { promisify } from 'node:util'
import { parse, parseAllDocuments } from 'yaml'
import { readConfig } from '../src/operation/app/config.ts'
import { VARIABLE_NAMES } from '../src/operation/app/settings-table.ts'
import { commandTable } from '../src/operation/cli/command-table.ts'
import { root } from './support/production-packages.ts'

// The chart, rendered by Helm for each file of test/helm/values, and decoded into the types of Kubernetes by
// test/helm/main.go.

const run = promisify(execFile)

const HELM = 'helm.sh/helm/v3/cmd/helm@v3.22.0'
const KUBERNETES = '1.33.0'

/**
 * Compiled programs are cached. If a build takes too long, the next run continues it, because Go caches compiled
 * packages.
 */
const BUILD_MS = 60_000
const tools = join(homedir(), '.cache/remit-tools/helm-3.22.0')
const [helm, decode] = [join(tools, 'helm'), join(tools, 'decode')]

const chart = join(root, 'deploy/helm')
const sources = join(root, 'test/helm')
const valueFiles = (await readdir(join(sources, 'values'))).map((name) => join(sources, 'values', name)).sort()

type Container = {
  name: string
  args: string[]
  env: { name: string; value: string }[]
  securityContext: Record<string, unknown>
  volumeMounts: { name: string; mountPath: string; readOnly?: boolean }[]
  ports?: { name: string; containerPort: number }[]
  [probe: `${string}Probe`]: { httpGet: { path: string; port: string } } | undefined
}
type Pod = {
  initContainers?: Container[]
  containers: Container[]
  securityContext: Record<string, unknown>
  automountServiceAccountToken: boolean
  volumes: {
    name: string
    secret?: { secretName: string; items?: { key: string }[] }
    persistentVolumeClaim?: object
  }[]
}
type Manifest = {
  kind: string
  metadata: { name: string; annotations?: Record<string, string> }
  spec?: { template?: { spec: Pod }; replicas?: number; strategy?: { type?: string }; [key: string]: unknown }
}

/** Builds Helm and the decoder. @returns the reason if this is not possible here */
async function buildTools(): Promise<string | null> {
  await mkdir(tools, { recursive: true })
  const signal = AbortSignal.timeout(BUILD_MS)
  const env = { ...process.env, GOBIN: tools }
  try {
    await Promise.all([
      run(helm, ['version'], { signal }).catch(() => run('go', ['install', HELM], { signal, env })),
      run('go', ['build', '-o', decode, '.'], { signal, env, cwd: sources }),
    ])
    return null
  } catch (error) {
    const reason = signal.aborted ? `no build within ${BUILD_MS / 1_000} s` : (error as Error).message
    console.log(`skipped without Helm: ${reason}`)
    return `skipped without Helm: ${reason}`
  }
}

const render = async (values: string, ...flags: string[]): Promise<string> =>
  (await run(helm, ['template', 'pay', chart, '--kube-version', KUBERNETES, '--values', values, ...flags])).stdout

const manifestsOf = (text: string): Manifest[] =>
  parseAllDocuments(text)
    .map((document) => document.toJS() as Manifest | null)
    .filter((manifest) => manifest !== null)

const renderAll = () =>
  Promise.all(valueFiles.map(async (path) => ({ name: basename(path), manifests: manifestsOf(await render(path)) })))

const podOf = (manifests: readonly Manifest[], suffix: string): Pod =>
  manifests.find(({ metadata, spec }) => metadata.name.endsWith(suffix) && spec?.template)?.spec?.template?.spec ??
  assert.fail(`no pods of ${suffix}`)

const missing = await buildTools()

suite('the chart', { skip: missing ?? false }, () => {
  test('passes helm lint and decodes strictly into the types of Kubernetes, for each file of values', async () => {
    assert.equal(valueFiles.length, 5)
    for (const values of valueFiles) {
      await run(helm, ['lint', '--strict', '--kube-version', KUBERNETES, chart, '--values', values])
      const text = await render(values)
      assert.equal(await decoded(text), `${manifestsOf(text).length} manifests\n`)
      await assert.rejects(decoded(text.replace('runAsNonRoot', 'runAsNonRot')), /unknown field .*runAsNonRot/)
    }
  })

  test('each container runs as a non-root user, without capabilities and with a read-only root file system', async () => {
    for (const { name, manifests } of await renderAll()) {
      const pods = manifests.flatMap(({ spec }) => spec?.template?.spec ?? [])
      assert.ok(pods.length >= 2)
      for (const pod of pods) {
        assert.equal(pod.securityContext.runAsNonRoot, true, name)
        assert.deepEqual(pod.securityContext.seccompProfile, { type: 'RuntimeDefault' })
        assert.equal(pod.automountServiceAccountToken, false)
        for (const { securityContext } of [...(pod.initContainers ?? []), ...pod.containers])
          assert.deepEqual(securityContext, {
            allowPrivilegeEscalation: false,
            readOnlyRootFilesystem: true,
            privileged: false,
            capabilities: { drop: ['ALL'] },
          })
      }
    }
  })

  test('each variable is a setting, each secret is a file, and each command exists', async () => {
    const commands = Object.values(commandTable).flatMap((rows) => rows.map(({ name }) => name))
    for (const { manifests } of await renderAll())
      for (const { args, env, volumeMounts } of manifests.flatMap(
        ({ spec }) => spec?.template?.spec.containers ?? [],
      )) {
        assert.ok(commands.includes(args[0] as string))
        assert.deepEqual(
          env.filter(({ name }) => !VARIABLE_NAMES.includes(name)),
          [],
        )
        assert.ok(!env.some(({ name }) => /^(.*DATABASE_URL|REMIT_MASTER_KEYS|SMTP_URL)$/.test(name)))
        for (const { name, value } of env.filter((one) => /_(FILE|CONNECTIONS)$/.test(one.name)))
          assert.ok(
            name.endsWith('_CONNECTIONS') || volumeMounts.some(({ mountPath }) => value.startsWith(`${mountPath}/`)),
            `${name} is below a mount`,
          )
      }
  })

  test('Remit accepts the settings, except for the files, which are secrets', async () => {
    for (const { manifests } of await renderAll()) {
      const [container] = podOf(manifests, '-serve').containers
      const settings = Object.fromEntries((container as Container).env.map(({ name, value }) => [name, value]))
      const { DATABASE_URL_FILE: _database, REMIT_MASTER_KEYS_FILE: _keys, SMTP_URL_FILE: _mail, ...rest } = settings
      const DATABASE_URL = 'postgres://remit_service:secret@localhost/remit'
      readConfig({}, { ...rest, DATABASE_URL }, { needsKeys: false })
    }
  })

  test('the migration has its own secret without master keys, and runs before an upgrade', async () => {
    const manifests = manifestsOf(await render(join(sources, 'values/small.yaml')))
    const secretsOf = (suffix: string) =>
      podOf(manifests, suffix).volumes.flatMap(({ secret }) =>
        secret ? [[secret.secretName, secret.items?.map(({ key }) => key)]] : [],
      )
    assert.deepEqual(secretsOf('-migrate'), [['remit-migration', ['database-url', 'migrate-database-url']]])
    assert.deepEqual(secretsOf('-worker'), [
      ['remit-banks', undefined],
      ['remit', ['database-url', 'master-keys']],
    ])
    const job = manifests.find(({ kind }) => kind === 'Job')
    assert.equal(job?.metadata.annotations?.['helm.sh/hook'], 'pre-install,pre-upgrade')
  })

  test('has start, liveness and readiness probes at existing ports', async () => {
    for (const { manifests } of await renderAll())
      for (const suffix of ['-serve', '-worker']) {
        const [container] = podOf(manifests, suffix).containers
        const names = container?.ports?.map(({ name }) => name)
        for (const probe of ['startupProbe', 'livenessProbe', 'readinessProbe'] as const)
          assert.ok(names?.includes(container?.[probe]?.httpGet.port as string), `${suffix} ${probe}`)
      }
  })

  test('has a volume for folders only with the transport folder, and keeps volumes when it is removed', async () => {
    const claims = Object.fromEntries(
      (await renderAll()).map(({ name, manifests }) => [
        name,
        manifests.filter(({ kind }) => kind === 'PersistentVolumeClaim'),
      ]),
    )
    for (const [name, own] of Object.entries(claims)) {
      assert.equal(own.length, name === 'folder.yaml' ? 2 : 1, name)
      for (const { metadata } of own) assert.equal(metadata.annotations?.['helm.sh/resource-policy'], 'keep')
    }
  })

  test('serves requests and runs background work in separate pods: replicas, the autoscaler, and one worker for a volume of one node', async () => {
    const large = manifestsOf(await render(join(sources, 'values/large.yaml')))
    const kinds = large.map(({ kind }) => kind)
    for (const kind of ['HorizontalPodAutoscaler', 'PodDisruptionBudget', 'NetworkPolicy', 'ServiceMonitor', 'Ingress'])
      assert.ok(kinds.includes(kind), kind)
    const deployment = (suffix: string) =>
      large.find(({ kind, metadata }) => kind === 'Deployment' && metadata.name.endsWith(suffix))
    assert.deepEqual([deployment('-serve')?.spec?.replicas, deployment('-worker')?.spec?.replicas], [undefined, 3])
    const small = join(sources, 'values/small.yaml')
    await assert.rejects(render(small, '--set', 'worker.replicas=2'), /needs state\.accessModes \[ReadWriteMany\]/)
  })

  test('values that are missing, misspelled or of another type are named', async () => {
    const small = join(sources, 'values/small.yaml')
    for (const [flag, message] of [
      ['baseUrl=http://pay.example.com', /baseUrl.* does not match pattern/],
      ['connections.existingSecret=', /connections\/existingSecret.*minLength/],
      ['serve.replicas=many', /serve\/replicas.*want integer/],
      ['worker.replica=2', /worker.*additional properties 'replica' not allowed/],
      ['mail.enabled=true', /mail\/from.*minLength/],
    ] as const)
      await assert.rejects(render(small, '--set', flag), message)
  })
})

test('the version of the chart is the version of Remit', async () => {
  const { version, appVersion } = parse(await readFile(join(chart, 'Chart.yaml'), 'utf8'))
  const { version: ours } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  assert.deepEqual([version, appVersion], [ours, ours])
})

/** Decodes manifests. @returns what the decoder prints @throws with its errors */
async function decoded(text: string): Promise<string> {
  const child = spawn(decode, { stdio: ['pipe', 'pipe', 'pipe'] })
  const output = { stdout: '', stderr: '' }
  child.stdout.on('data', (data) => (output.stdout += data))
  child.stderr.on('data', (data) => (output.stderr += data))
  child.stdin.end(text)
  const code = await new Promise((resolve) => child.on('close', resolve))
  if (code !== 0) throw new Error(output.stderr)
  return output.stdout
}
