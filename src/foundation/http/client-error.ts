import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { ApiError } from '../core/errors.ts'
import { errorBody, JSON_TYPE } from './error-handler.ts'

const HANG_UP_DELAY_MS = 1_000

/** Answers requests that are not valid HTTP or arrive too slowly. They never reach a route. */
export function answerClientError(error: NodeJS.ErrnoException, socket: Socket, requestId: string): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const apiError =
    clientErrors[error.code ?? '']?.() ?? new ApiError('invalid_request', { message: 'The request is not valid HTTP.' })
  const body = errorBody(apiError)
  // Closes the connection for clients that do not close it themselves. The delay lets the answer arrive.
  setTimeout(() => socket.destroy(), HANG_UP_DELAY_MS).unref()
  socket.end(
    `HTTP/1.1 ${apiError.status} ${STATUS_CODES[apiError.status]}\r\ncontent-type: ${JSON_TYPE}\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\nx-request-id: ${requestId}\r\nconnection: close\r\n\r\n${body}`,
  )
}

const clientErrors: Record<string, () => ApiError> = {
  ERR_HTTP_REQUEST_TIMEOUT: () => new ApiError('request_timeout'),
  HPE_HEADER_OVERFLOW: () => new ApiError('headers_too_large'),
}
