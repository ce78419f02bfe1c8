import swagger from '@fastify/swagger'
import scalar from '@scalar/fastify-api-reference'
import type { FastifyInstance } from 'fastify'

/** `baseUrl` null: the address that the reader asked. */
export type ApiReference = { version: string; baseUrl: string | null }

/** `/openapi.json` from the schemas of the routes, and the reference at `/docs`, which brings its own script. */
export async function serveApiReference(app: FastifyInstance, { version, baseUrl }: ApiReference): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Remit',
        version,
        description: 'Payments that a company runs itself: users, bank accounts, checks and signed webhooks.',
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url: baseUrl ?? '/' }],
      components: {
        securitySchemes: {
          apiKey: { type: 'apiKey', in: 'header', name: 'Authorization', description: 'API_KEY:API_SECRET' },
        },
      },
      security: [{ apiKey: [] }],
    },
    hideUntagged: true,
  })
  app.get('/openapi.json', { schema: { hide: true }, config: { access: 'anyone' } }, async () => app.swagger())
  await app.register(scalar, { routePrefix: '/docs', configuration: { url: '/openapi.json', withDefaultFonts: false } })
}
