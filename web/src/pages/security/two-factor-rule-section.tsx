import { Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '../../api.ts'
import { Section } from '../../layout/section.tsx'
import { Loaded } from '../../shown/loaded.tsx'
import { notify } from '../../shown/notify.ts'
import { QuestionButton } from '../../shown/question-button.tsx'
import { teamQuery } from '../team/team-query.ts'

/** Whether the platform requires a second factor of each member. Only owners see this section. */
export function TwoFactorRuleSection({ platform, hasTwoFactor }: { platform: string; hasTwoFactor: boolean }) {
  const team = useQuery(teamQuery)
  return (
    <Loaded query={team}>
      {({ two_factor_required, members }) => {
        const missing = members.filter(({ has_two_factor }) => !has_two_factor).length
        return (
          <Section
            title="Two-factor sign-in for the team"
            about={
              <>
                <strong>{two_factor_required ? 'Required.' : 'Not required.'}</strong>{' '}
                {two_factor_required
                  ? `Everyone at ${platform} needs a second factor to do anything.`
                  : `Members of ${platform} choose for themselves.`}{' '}
                {!two_factor_required && !hasTwoFactor && 'To require it, turn it on for yourself first.'}
              </>
            }
            action={
              (two_factor_required || hasTwoFactor) && <RuleButton isRequired={two_factor_required} missing={missing} />
            }
          />
        )
      }}
    </Loaded>
  )
}

function RuleButton({ isRequired, missing }: { isRequired: boolean; missing: number }) {
  const queryClient = useQueryClient()
  const change = async () => {
    await api.setTwoFactorRule(!isRequired)
    await queryClient.invalidateQueries(teamQuery)
    notify(isRequired ? 'Two-factor sign-in is optional now' : 'Two-factor sign-in is required now')
  }
  if (isRequired) {
    return (
      <QuestionButton
        label="Stop requiring"
        title="Stop requiring two-factor sign-in?"
        confirm="Stop requiring"
        onConfirm={change}
        button={{ size: 'sm' }}
      >
        <Text>Members can then turn it off and sign in with only a password.</Text>
      </QuestionButton>
    )
  }
  return (
    <QuestionButton
      label="Require"
      name="Require two-factor sign-in"
      title="Require two-factor sign-in?"
      confirm="Require"
      color="petrol"
      onConfirm={change}
      button={{ size: 'sm' }}
    >
      <Text>
        {missing === 0
          ? 'Everyone on the team has turned it on.'
          : `${missing === 1 ? 'One member doesn’t' : `${missing} members don’t`} have it on yet and can only set it up until then.`}{' '}
        API keys keep working.
      </Text>
    </QuestionButton>
  )
}
