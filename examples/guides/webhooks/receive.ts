import { WebhookError, webhooks } from 'remit-payments-sdk'

/** For every framework with web-standard requests: Next.js, Hono, SvelteKit, Deno, Bun, Cloudflare Workers. */
export async function POST(request: Request): Promise<Response> {
  const body = await request.text() // as it arrived, because the signature covers these bytes
  try {
    const { event } = await webhooks.verify(body, request.headers, process.env.WEBHOOK_KEY ?? '')
    console.log(event.type, event.id)
    return new Response(null, { status: 204 })
  } catch (error) {
    if (error instanceof WebhookError) return new Response(error.message, { status: 401 })
    throw error
  }
}
