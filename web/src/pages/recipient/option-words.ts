import {
  IconBrandPaypal,
  IconBuildingBank,
  IconCreditCard,
  IconDeviceMobile,
  IconLeaf,
  IconMail,
  IconPrinter,
  IconWorld,
} from '@tabler/icons-react'
import type { DepositOption } from '../../answers.ts'

type Words = { icon: typeof IconMail; label: string; hint: string; title: string }

/** The texts of each deposit option: `label` and `hint` are in the list, and `title` is above the form. */
export const optionWords: Record<DepositOption, Words> = {
  BANK: {
    icon: IconBuildingBank,
    label: 'Deposit into a bank account',
    hint: 'With your routing and account number',
    title: 'To your bank account',
  },
  CARD: { icon: IconCreditCard, label: 'Debit card', hint: 'Within minutes', title: 'To your debit card' },
  PAYPAL: { icon: IconBrandPaypal, label: 'PayPal', hint: 'Within minutes', title: 'To your PayPal account' },
  VENMO: { icon: IconDeviceMobile, label: 'Venmo', hint: 'Within minutes', title: 'To your Venmo account' },
  INTERAC: {
    icon: IconLeaf,
    label: 'Interac e-Transfer',
    hint: 'In Canada, within minutes',
    title: 'By Interac e-Transfer',
  },
  WIRE: { icon: IconWorld, label: 'Wire', hint: 'To a bank in the US or abroad', title: 'By wire' },
  PRINT: {
    icon: IconPrinter,
    label: 'Check to print',
    hint: 'Print it and take it to your bank',
    title: 'By printed check',
  },
  MAIL: { icon: IconMail, label: 'Check by mail', hint: 'In about a week', title: 'By check in the mail' },
}
