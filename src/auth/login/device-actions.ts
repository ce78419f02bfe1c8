import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Deps } from '../../db/deps.ts'
import { DAY_MS } from '../../lib/clock.ts'
import { newId } from '../../lib/ids.ts'
import { normalEmail } from '../../lib/text/email.ts'
import { DEVICE_DAYS, deviceCookieName, deviceCookieOptions } from '../session/session-rules.ts'

/** What a browser keeps after a sign-in: that the owner of an email was here. It lets nobody in. */
type Device = { id: string; email: string; until: number }

/**
 * The id of a browser in which the owner of an email has signed in before, null in any other. Its tries are counted apart,
 * so that nobody who tries that email elsewhere locks its owner out.
 */
export function deviceOf(deps: Deps, request: FastifyRequest, email: string): string | null {
  const device = openDevice(deps, request.cookies[deviceCookieName(deps.settings)])
  const isKnown = device?.email === normalEmail(email) && device.until > deps.realClock.now().getTime()
  return isKnown ? device.id : null
}

/** Lets a browser in which an owner has signed in be known again. */
export function setDeviceCookie(deps: Deps, reply: FastifyReply, email: string): void {
  const { settings, realClock, random } = deps
  const id = newId({ clock: realClock, random })
  const until = realClock.now().getTime() + DEVICE_DAYS * DAY_MS
  const device: Device = { id, email: normalEmail(email), until }
  const value = deps.keyRing.seal(JSON.stringify(device), 'device').toString('base64url')
  const maxAge = (DEVICE_DAYS * DAY_MS) / 1000
  reply.setCookie(deviceCookieName(settings), value, { ...deviceCookieOptions(settings), maxAge })
}

function openDevice({ keyRing }: Deps, value: string | undefined): Device | null {
  if (!value) return null
  try {
    return JSON.parse(keyRing.openText(Buffer.from(value, 'base64url'), 'device')) as Device
  } catch {
    return null // Made up, or sealed with a key that is gone.
  }
}
