import { Button, Stack, Text, UnstyledButton } from '@mantine/core'
import { IconArrowLeft, IconChevronRight } from '@tabler/icons-react'
import { useState } from 'react'
import type { DepositOption, LinkedPayment } from '../../answers.ts'
import type { OpenedLink } from '../../api.ts'
import { DepositForm } from './deposit-form.tsx'
import { optionWords } from './option-words.ts'
import classes from './recipient-page.module.css'
import { StepHeading } from './step-heading.tsx'

type Props = {
  link: OpenedLink
  payment: LinkedPayment
  /** Whether the page is in its initial state. */
  isFirst: boolean
  onDone: (payment: LinkedPayment) => void
  /** Called when the payment has changed since the page was loaded. */
  onStale: () => Promise<unknown>
}

/** Lets the recipient choose one of the deposit options and enter its details. */
export function DepositChoice({ payment, isFirst, ...rest }: Props) {
  const [chosen, setChosen] = useState<DepositOption | null>(null)
  const [hasChosen, setHasChosen] = useState(false)
  const choose = (option: DepositOption | null) => {
    setChosen(option)
    setHasChosen(true)
  }
  const [only, ...others] = payment.options
  const option = others.length === 0 ? only : chosen
  if (!option) return <Options options={payment.options} isFirst={isFirst && !hasChosen} onChoose={choose} />
  return (
    <Stack gap="md">
      <StepHeading isFirst={isFirst && !hasChosen}>{optionWords[option].title}</StepHeading>
      <DepositForm option={option} payment={payment} {...rest} />
      {others.length > 0 && (
        <Button variant="subtle" leftSection={<IconArrowLeft size={16} aria-hidden />} onClick={() => choose(null)}>
          Choose another way
        </Button>
      )}
    </Stack>
  )
}

const { icon: BankIcon } = optionWords.BANK

type OptionsProps = { options: DepositOption[]; isFirst: boolean; onChoose: (option: DepositOption) => void }

const Options = ({ options, isFirst, onChoose }: OptionsProps) => (
  <Stack gap="md">
    <StepHeading isFirst={isFirst}>How do you want to get paid?</StepHeading>
    {options.includes('BANK') && (
      <Button size="md" fullWidth leftSection={<BankIcon size={18} aria-hidden />} onClick={() => onChoose('BANK')}>
        {optionWords.BANK.label}
      </Button>
    )}
    <ul className={classes.options}>
      {options
        .filter((option) => option !== 'BANK')
        .map((option) => {
          const { icon: Icon, label, hint } = optionWords[option]
          return (
            <li key={option}>
              <UnstyledButton className={classes.option} onClick={() => onChoose(option)}>
                <Icon size={22} stroke={1.6} aria-hidden />
                <span>
                  <Text span display="block" fw={600}>
                    {label}
                  </Text>
                  <Text span display="block" c="dimmed" size="xs">
                    {hint}
                  </Text>
                </span>
                <IconChevronRight size={18} aria-hidden />
              </UnstyledButton>
            </li>
          )
        })}
    </ul>
  </Stack>
)
