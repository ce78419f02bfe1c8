import { Button, Group, Text } from '@mantine/core'
import type { LineProposal, WaitingLine } from '../../answers.ts'
import { WorkingButton } from '../../form/working-button.tsx'
import { signedDollars } from '../../shown/dollars.ts'
import { dayText } from '../../shown/moment.tsx'
import { kindWords, proposalWords } from './statement-words.ts'
import classes from './statements.module.css'

type Props = {
  line: WaitingLine
  /** Whether there are several accounts, so that the line names its own. */
  namesAccount: boolean
  isCurrent: boolean
  isWorking: boolean
  onCurrent: () => void
  onAccept: (proposal: LineProposal) => void
  onOpen: (kind: 'book' | 'ignore') => void
}

/** A line that waits: its texts, its probable meaning, and its proposals. Only the current line shows proposals after the first. */
export function LineRow({ line, namesAccount, isCurrent, isWorking, onCurrent, onAccept, onOpen }: Props) {
  const { id, bank_account, day, amount, kind, code, name, text, references, finding, proposals } = line
  const [first, ...others] = proposals
  const words = [name, text].filter(Boolean).join(' · ')
  const about = `${signedDollars(amount)} of ${dayText(day)}`
  return (
    <li data-line={id} className={classes.line} aria-current={isCurrent ? 'true' : undefined} onFocus={onCurrent}>
      <div className={classes.lineText}>
        <Text className={classes.words} fw={500}>
          {words || kindWords(kind)}
        </Text>
        <Text c="dimmed" size="xs" className={classes.words}>
          {dayText(day)} · {kindWords(kind)}
          {code && ` ${code}`}
          {namesAccount && ` · ${bank_account}`}
          {references.length > 0 && ` · ${references.join(', ')}`}
        </Text>
      </div>
      <Text className={classes.amount} data-credit={amount > 0}>
        {signedDollars(amount)}
      </Text>
      <div className={classes.advice}>
        <Text>
          {finding} {first && <PaymentMark proposal={first} />}
        </Text>
        {isCurrent &&
          others.map((proposal, index) => (
            <div key={proposalKey(proposal)} className={classes.other}>
              <Button variant="default" size="compact-xs" onClick={() => onAccept(proposal)}>
                {index + 2}. {proposalWords(proposal)}
              </Button>
              <Text size="xs" c="dimmed">
                {proposal.why} <PaymentMark proposal={proposal} />
              </Text>
            </div>
          ))}
      </div>
      <Group gap="xs" className={classes.lineButtons}>
        {first && (
          <WorkingButton
            data-main
            size="xs"
            variant={isCurrent ? 'filled' : 'light'}
            working={isWorking}
            aria-label={`${proposalWords(first)}: ${about}`}
            onClick={() => onAccept(first)}
          >
            {proposalWords(first)}
          </WorkingButton>
        )}
        <Button
          {...(!first && { 'data-main': true })}
          variant="default"
          size="xs"
          aria-label={`Book ${about} to an account`}
          onClick={() => onOpen('book')}
        >
          Book…
        </Button>
        <Button variant="default" size="xs" aria-label={`Ignore ${about}`} onClick={() => onOpen('ignore')}>
          Ignore…
        </Button>
      </Group>
    </li>
  )
}

/** The end of the payment's id. It distinguishes payments of the same amount. */
const PaymentMark = ({ proposal: { payment } }: { proposal: LineProposal }) =>
  payment === null ? null : (
    <Text span inherit c="dimmed" title={payment}>
      Payment …{payment.slice(-8)}
    </Text>
  )

const proposalKey = ({ legs, parts }: LineProposal): string =>
  [...legs, ...parts.map(({ name, amount }) => `${name}=${amount}`)].join()
