import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Deps } from '../../../foundation/db/deps.ts'
import { DAY_MS } from '../../../foundation/lib/clock.ts'
import { newId } from '../../../foundation/lib/ids.ts'
import { normalizeEmail } from '../../../foundation/lib/text/email.ts'
import { DEVICE_DAYS, deviceCookieName, deviceCookieOptions } from '../session/session-rules.ts'

/** The content of the device cookie. It says that the owner of this email has signed in with this browser, and grants no access. */
type Device = { id: string; email: string; until: number }

/**
 * Returns the device id of a browser in which the owner of the email has signed in before, otherwise null. Its attempts are counted
 * separately, so that other people's failed attempts do not lock the owner out.
 */
export function readKnownDevice(deps: Deps, request: FastifyRequest, email: string): string | null {
  const device = openDevice(deps, request.cookies[deviceCookieName(deps.settings)])
  const isKnown = device?.email === normalizeEmail(email) && device.until > deps.realClock.now().getTime()
  return isKnown ? device.id : null
}

/** Sets the cookie that marks this browser as known for the owner. */
export function setDeviceCookie(deps: Deps, reply: FastifyReply, email: string): void {
  const { settings, realClock, random } = deps
  const id = newId({ clock: realClock, random })
  const until = realClock.now().getTime() + DEVICE_DAYS * DAY_MS
  const device: Device = { id, email: normalizeEmail(email), until }
  const value = deps.keyRing.seal(JSON.stringify(device), 'device').toString('base64url')
  const maxAge = (DEVICE_DAYS * DAY_MS) / 1000
  reply.setCookie(deviceCookieName(settings), value, { ...deviceCookieOptions(settings), maxAge })
}

function openDevice({ keyRing }: Deps, value: string | undefined): Device | null {
  if (!value) return null
  try {
    return JSON.parse(keyRing.openText(Buffer.from(value, 'base64url'), 'device')) as Device
  } catch {
    return null // the cookie is forged, or sealed with a retired key
  }
}
