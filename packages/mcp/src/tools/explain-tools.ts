import { z } from 'zod'
import { NotFoundError } from '../../../sdk/src/index.ts'
import { ToolError } from '../result.ts'
import { type Context, defineTool, type Tool } from '../tool.ts'

export const explainTools: readonly Tool[] = [
  defineTool({
    name: 'explain_code',
    title: 'Explain a code',
    description:
      'Explains an error code of the API, such as insufficient_funds, or a return code of a bank, such as R01.',
    input: { code: z.string().regex(/^[\w-]{1,60}$/) },
    run: async (context, { code }) => {
      const found = (await errorCode(context, code.toLowerCase())) ?? (await returnCode(context, code.toUpperCase()))
      if (found) return found
      throw new ToolError(`${code} is neither an error code of the API nor a return code. Check its spelling.`)
    },
  }),

  defineTool({
    name: 'get_sandbox',
    title: 'Show the sandbox',
    description:
      'Shows the clock of a sandbox and its magic values: account numbers and cents that cause returns and other outcomes.',
    input: {},
    run: async ({ remit }) => {
      const clock = await remit.sandbox.getClock().catch((error) => {
        if (error instanceof NotFoundError)
          throw new ToolError('This service is not a sandbox, so it has no sandbox clock and no magic values.')
        throw error
      })
      const guide = await remit.request<Blob>('GET', '/docs/guides/money.md', { answersFile: true })
      const [, magic_values = null] = /^## (Magic values.*?)(?=^## )/ms.exec(await guide.text()) ?? []
      return { clock, magic_values }
    },
  }),
]

async function errorCode({ document }: Context, code: string) {
  const { components } = await document()
  const texts = components.schemas.ErrorCode?.['x-enumDescriptions'] ?? {}
  if (!Object.hasOwn(texts, code)) return null
  const [, status, meaning] = /^(\d{3}): (.*)$/s.exec(texts[code] ?? '') ?? []
  return { kind: 'error code', code, status: Number(status), meaning }
}

async function returnCode({ remit }: Context, code: string) {
  try {
    return { kind: 'return code', ...(await remit.returnCodes.get(code)) }
  } catch (error) {
    if (error instanceof NotFoundError || (error as { status?: number }).status === 400) return null
    throw error
  }
}
