import { Text } from '@mantine/core'
import type { Member } from '../../answers.ts'
import { api } from '../../api.ts'
import { leaveSignedOut } from '../../layout/leave-signed-out.ts'
import { Section } from '../../layout/section.tsx'
import { roleWithArticle, roleWords } from '../../role-words.ts'
import { QuestionButton } from '../../shown/question-button.tsx'

/** The person's role on the platform of the session, with a button to leave the platform. */
export const MembershipSection = ({ owner }: { owner: Member }) => (
  <Section
    title="Your membership"
    about={
      <>
        You’re <strong>{roleWithArticle(owner.role)}</strong> of {owner.platform}. {roleWords[owner.role].summary}
      </>
    }
    action={
      <QuestionButton
        label="Leave"
        name={`Leave ${owner.platform}`}
        title={`Leave ${owner.platform}?`}
        confirm="Leave"
        onConfirm={() => api.leaveTeam().then(leaveSignedOut)}
        button={{ size: 'sm' }}
      >
        <Text>
          You lose access right away and are signed out. API keys that you created here stop working. To come back, you
          need a new invitation.
        </Text>
      </QuestionButton>
    }
  />
)
