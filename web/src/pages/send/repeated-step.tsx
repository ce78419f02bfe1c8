import type { NewSubscription } from '../../answers.ts'
import { RouterButton } from '../../layout/router-button.tsx'
import { dollars } from '../../shown/dollars.ts'
import { dayText } from '../../shown/moment.tsx'
import { DoneSection } from './done-section.tsx'
import { intervals } from './send-order.ts'

/** The last step of a payment that repeats. */
export const RepeatedStep = ({ subscription, onAgain }: { subscription: NewSubscription; onAgain: () => void }) => (
  <DoneSection
    title={isOnce(subscription) ? 'Payment scheduled' : 'Recurring payment set up'}
    links={
      <RouterButton to="/recurring/$id" params={{ id: subscription.id }}>
        {isOnce(subscription) ? 'View scheduled payment' : 'View recurring payment'}
      </RouterButton>
    }
    onAgain={onAgain}
  >
    {dollars(subscription.amount)} to {subscription.name},{' '}
    {isOnce(subscription) ? 'on' : `${intervals[subscription.interval].toLowerCase()} from`}{' '}
    {dayText(subscription.start_date)}. You get an email if a payment cannot be made.
  </DoneSection>
)

const isOnce = ({ duration }: NewSubscription): boolean => duration === 1
