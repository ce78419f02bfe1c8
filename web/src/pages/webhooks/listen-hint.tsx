import { useServiceContext } from '../../service-context.ts'
import { ShownValue } from '../../shown/shown-value.tsx'

const COMMAND = 'npx remit listen --forward-to http://localhost:3000/hook'

/** How events come to a machine that has no public address. Production has none of it. */
export function ListenHint() {
  const { environment } = useServiceContext()
  return environment === 'production' ? null : (
    <ShownValue label="On your own machine, without a public address" what="command" value={COMMAND} />
  )
}
