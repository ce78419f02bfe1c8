import { VisuallyHidden } from '@mantine/core'
import { dollars } from '../../shown/dollars.ts'
import classes from './invoice-lines.module.css'

type Line = { description: string; quantity: number; unit_price: number; tax_rate: number; amount: number }

/** The lines of an invoice, as the service returns them. */
export type ShownLines = { items: readonly Line[]; subtotal: number | null; tax: number | null }

/** The lines of an invoice and their total. */
export const InvoiceLines = ({ lines: { items, subtotal, tax }, total }: { lines: ShownLines; total: number }) => (
  <table className={classes.lines} aria-label="Items">
    <thead>
      <tr>
        <th scope="col">
          <VisuallyHidden>Item</VisuallyHidden>
        </th>
        <th scope="col">
          <VisuallyHidden>Amount</VisuallyHidden>
        </th>
      </tr>
    </thead>
    <tbody>
      {items.map((line, index) => (
        <tr key={index}>
          <th scope="row">
            {line.description}
            <span className={classes.detail}>{detailOf(line)}</span>
          </th>
          <td>{dollars(line.amount)}</td>
        </tr>
      ))}
    </tbody>
    <tfoot>
      {tax !== null && tax > 0 && (
        <>
          <Sum name="Subtotal" amount={subtotal ?? 0} />
          <Sum name="Tax" amount={tax} />
        </>
      )}
      <Sum name="Total" amount={total} />
    </tfoot>
  </table>
)

const Sum = ({ name, amount }: { name: string; amount: number }) => (
  <tr>
    <th scope="row">{name}</th>
    <td>{dollars(amount)}</td>
  </tr>
)

/** Returns the quantity, price and tax of a line, such as "2.5 × $40.00 · 8.25% tax". */
function detailOf({ quantity, unit_price, tax_rate }: Line): string {
  const price = `${quantity.toLocaleString('en-US', { maximumFractionDigits: 3 })} × ${dollars(unit_price)}`
  return tax_rate === 0 ? price : `${price} · ${tax_rate}% tax`
}
