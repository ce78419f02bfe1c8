import { Text } from '@mantine/core'
import { IconListSearch } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import type { ApiKey, RequestDetails } from '../../answers.ts'
import { BackLink } from '../../layout/back-link.tsx'
import { PageHeading } from '../../layout/page-heading.tsx'
import { RouterAnchor } from '../../layout/router-anchor.tsx'
import { Section } from '../../layout/section.tsx'
import { curlCommand } from '../../shown/curl.ts'
import { CurlSection } from '../../shown/curl-section.tsx'
import { Empty } from '../../shown/empty.tsx'
import { Fact, Facts } from '../../shown/facts.tsx'
import { Loaded, Loading } from '../../shown/loaded.tsx'
import { Moment } from '../../shown/moment.tsx'
import { StatusCodeBadge } from '../../shown/status-code-badge.tsx'
import { apiKeysQuery } from '../developer/developer-query.ts'
import { requestQuery } from './request-queries.ts'
import { callerName, durationText } from './request-words.ts'

/**
 * The page of a request: who made it, when and from where, and the response. Outside of the sandbox, developers see this page but not the
 * names of API keys.
 */
export function RequestPage() {
  const { id } = useParams({ from: '/settings/requests/$id' })
  const request = useQuery(requestQuery(id))
  const keys = useQuery(apiKeysQuery)
  return (
    <>
      <BackLink>
        <RouterAnchor to="/settings/requests">Requests</RouterAnchor>
      </BackLink>
      <PageHeading title="Request" />
      <Loaded query={request}>
        {(data) =>
          data === null ? (
            <NoRequest />
          ) : keys.isPending ? (
            <Loading />
          ) : (
            <Details request={data} keys={keys.data ?? []} />
          )
        }
      </Loaded>
    </>
  )
}

const NoRequest = () => (
  <Empty title="This request is not in the log" icon={IconListSearch}>
    <Text c="dimmed">Requests are kept for seven days. Those that failed authentication are not kept.</Text>
  </Empty>
)

function Details({ request, keys }: { request: RequestDetails; keys: ApiKey[] }) {
  const isOwnKey = keys.some(({ id }) => id === request.key)
  return (
    <>
      <Section title={`${request.method} ${request.path}`} action={<StatusCodeBadge status={request.status} />}>
        <Facts>
          <Fact label="Time">
            <Moment utc={request.date} isExact />
          </Fact>
          <Fact label="Answered after">{durationText(request.duration_ms)}</Fact>
          {request.code !== null && (
            <Fact label="Error" isCode>
              {request.code}
            </Fact>
          )}
          <Fact label="Made by">{callerName(request, keys)}</Fact>
          <Fact label="Address" isCode>
            {request.address}
          </Fact>
          {request.payment !== null && (
            <Fact label="Payment">
              <RouterAnchor to="/payments/$id" params={{ id: request.payment }}>
                View payment
              </RouterAnchor>
            </Fact>
          )}
          <Fact label="Request ID" isCode>
            {request.id}
          </Fact>
        </Facts>
      </Section>
      <CurlSection
        about={`Put your secret where API_SECRET is${isOwnKey ? '' : ', and your key where API_KEY is'}. ${toAdd(request)}`}
        command={commandOf(request, isOwnKey ? request.key : null)}
      />
    </>
  )
}

/** Returns a sentence about the parts that are missing in the command. */
const toAdd = ({ body }: RequestDetails): string => {
  if (body === null) return 'The query is not kept, and neither was the body, so add them.'
  return body.includes('****')
    ? 'Replace each **** in the body, which hides a secret or a number. The query is not kept, so add it.'
    : 'The query is not kept, so add it.'
}

/** Shows the request as a curl command. `key` is the API key that made it, whose secret is unknown here. */
const commandOf = ({ method, path, body }: RequestDetails, key: string | null): string =>
  curlCommand({
    method,
    url: `${window.location.origin}${path}`,
    headers: {
      Authorization: `${key ?? 'API_KEY'}:API_SECRET`,
      ...(method !== 'GET' && { 'Content-Type': 'application/json' }),
    },
    ...((method === 'POST' || method === 'PUT') && { body: body ?? '{}' }),
  })
