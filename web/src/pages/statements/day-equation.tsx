import { Text, Title } from '@mantine/core'
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react'
import type { CSSProperties } from 'react'
import type { StatementDay } from '../../answers.ts'
import { dollars } from '../../shown/dollars.ts'
import { dayText } from '../../shown/moment.tsx'
import classes from './statements.module.css'

/** One step of the equation. The bar reaches from `from` to `to`, in dollars. */
type Step = { sign: string; label: string; amount: number; from: number; to: number; tone: Tone }
type Tone = 'balance' | 'in' | 'out' | 'unexplained'

/** The equation of a day as a picture: opening balance + credits − debits = closing balance = ledger. Each bar begins where the one before ends. */
export function DayEquation({ day }: { day: StatementDay }) {
  const steps = stepsOf(day)
  const low = Math.min(0, ...steps.map(({ from, to }) => Math.min(from, to)))
  const high = Math.max(0.01, ...steps.map(({ from, to }) => Math.max(from, to)))
  const share = (value: number) => ((value - low) / (high - low)) * 100
  return (
    <div className={classes.equation}>
      <Title order={3}>{dayText(day.day)}</Title>
      <dl className={classes.steps}>
        {steps.map(({ sign, label, amount, from, to, tone }) => (
          <div key={label} className={classes.step} data-tone={tone} data-empty={tone !== 'balance' && amount === 0}>
            <dt>
              <span className={classes.sign} aria-hidden>
                {sign}
              </span>
              {label}
            </dt>
            <span className={classes.track} aria-hidden>
              <span
                className={classes.bar}
                style={
                  {
                    '--start': `${share(Math.min(from, to))}%`,
                    '--length': `${share(Math.max(from, to)) - share(Math.min(from, to))}%`,
                  } as CSSProperties
                }
              />
            </span>
            <dd>{dollars(amount)}</dd>
          </div>
        ))}
      </dl>
      <Verdict day={day} />
    </div>
  )
}

function stepsOf({ opening, credits, debits, difference, closing, ledger }: StatementDay): Step[] {
  const top = opening + credits
  const balance = (sign: string, label: string, amount: number): Step => ({
    ...{ sign, label, amount, from: 0, to: amount },
    tone: 'balance',
  })
  return [
    balance('', 'Opening balance', opening),
    { sign: '+', label: 'Credits', amount: credits, from: opening, to: top, tone: 'in' },
    { sign: '−', label: 'Debits', amount: debits, from: top - debits, to: top, tone: 'out' },
    ...(difference === 0 ? [] : [unexplained(difference, { from: top - debits, to: closing })]),
    balance('=', 'Closing balance', closing),
    balance('=', 'Ledger', ledger),
  ]
}

const unexplained = (amount: number, place: { from: number; to: number }): Step => ({
  ...{ sign: amount < 0 ? '−' : '+', label: 'Unexplained', amount: Math.abs(amount), tone: 'unexplained' },
  ...place,
})

function Verdict({ day: { matched, closing, ledger, difference, waiting } }: { day: StatementDay }) {
  const isRight = closing === ledger && difference === 0
  const text = !matched
    ? 'Lines are being matched.'
    : closing !== ledger
      ? `The ledger differs from the bank by ${dollars(Math.abs(closing - ledger))}.`
      : difference !== 0
        ? `No line or earlier statement explains ${dollars(Math.abs(difference))}. It is in suspense, and a case is open.`
        : waiting > 0
          ? `Bank and ledger agree. ${waiting === 1 ? 'One line waits' : `${waiting} lines wait`} for your decision.`
          : 'Bank and ledger agree, and every line is explained.'
  const Icon = isRight ? IconCircleCheck : IconAlertTriangle
  return (
    <Text className={classes.verdict} data-right={isRight}>
      <Icon size={18} stroke={1.75} aria-hidden />
      <span>{text}</span>
    </Text>
  )
}
