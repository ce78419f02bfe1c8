import { amountInWords } from '../../../../src/payments/drawing/amount-in-words-rules.ts'
import { isAmount, parseAmount } from '../../form/form-rules.ts'
import { useToday } from '../../layout/use-today.ts'
import { useServiceContext } from '../../service-context.ts'
import { dollars } from '../../shown/dollars.ts'
import { Day } from '../../shown/moment.tsx'
import { useAccountName } from '../accounts/use-account-name.ts'
import classes from './check-preview.module.css'
import { checkName, type SendFields } from './send-order.ts'

/** A preview of the check while the person types. Screen readers skip it, and the review has the exact picture. */
export function CheckPreview({ fields }: { fields: SendFields }) {
  const { owner } = useServiceContext()
  const account = useAccountName(fields.account === '' ? null : fields.account)
  const today = useToday()
  const date = fields.start_date === '' ? today : fields.start_date
  const cents = isAmount(fields.amount) === null ? Math.round(parseAmount(fields.amount) * 100) : null
  return (
    <div className={classes.preview} aria-hidden>
      <div className={classes.check}>
        <div className={classes.sender}>{owner?.platform}</div>
        <div className={classes.date}>
          <span className={classes.label}>Date</span>
          {date !== null && <Day date={date} />}
        </div>
        <div className={classes.payee}>
          <span className={classes.label}>Pay to the order of</span>
          <span className={classes.line}>{checkName(fields)}</span>
        </div>
        <div className={classes.amount}>{cents === null ? '$' : dollars(cents / 100)}</div>
        <div className={classes.words}>
          <span className={classes.line}>{cents === null ? '' : amountInWords(cents)}</span>
          <span className={classes.label}>Dollars</span>
        </div>
        <div className={classes.memo}>
          <span className={classes.label}>Memo</span>
          <span className={classes.line}>{fields.description}</span>
        </div>
        <div className={classes.from}>{account === null ? 'Default account' : account}</div>
      </div>
    </div>
  )
}
