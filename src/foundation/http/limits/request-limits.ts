import type { EnvironmentSettings } from '../../core/environment.ts'
import type { Caller } from '../caller.ts'
import type { Counted, Limit } from './rate-limit.ts'

/** The limit of a user is this many times that of a credential, because a user may have several keys, sessions and applications. */
const USER_FACTOR = 2
/** The limit of a platform is this many times that of a credential, because a platform has many users. */
const PLATFORM_FACTOR = 100

type LimitSettings = Pick<
  EnvironmentSettings,
  'requestsPerSecond' | 'requestBurst' | 'addressRequestsPerSecond' | 'addressRequestBurst'
>

/** Returns the limits of a caller (for its credential, its user and its platform) and the limit of an address. */
export function limitsOf(settings: LimitSettings): { ofCaller(caller: Caller): Counted[]; ofAddress: Limit } {
  const credential = { perSecond: settings.requestsPerSecond, burst: settings.requestBurst }
  const times = (factor: number): Limit => ({
    perSecond: credential.perSecond * factor,
    burst: credential.burst * factor,
  })
  const [user, platform] = [times(USER_FACTOR), times(PLATFORM_FACTOR)]
  return {
    ofCaller: (caller) => [
      { key: `${caller.credential.kind} ${caller.credential.id}`, limit: credential },
      { key: `user ${caller.platformId} ${caller.userId}`, limit: user },
      { key: `platform ${caller.platformId}`, limit: platform },
    ],
    ofAddress: { perSecond: settings.addressRequestsPerSecond, burst: settings.addressRequestBurst },
  }
}
