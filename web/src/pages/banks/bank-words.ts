import type { BankConnection, BankFile } from '../../answers.ts'

/** The condition of a connection, in words and in a color. */
export const conditionWords: Record<BankConnection['condition'], { text: string; color: string }> = {
  connected: { text: 'Connected', color: 'green' },
  in_use: { text: 'In use', color: 'green' },
  new: { text: 'Not used yet', color: 'gray' },
  silent: { text: 'Silent', color: 'orange' },
  failing: { text: 'Not reachable', color: 'red' },
}

export const transportWords: Record<BankConnection['transport'], string> = {
  folder: 'Folder',
  sftp: 'SFTP',
  https: 'HTTPS',
}

export const kindWords: Record<BankFile['kind'], string> = {
  ach: 'ACH file',
  print: 'Checks to print',
  issue: 'Issued checks',
  stop: 'Stopped checks',
  checkbook: 'Checkbook orders',
  orders: 'Orders',
  recall: 'Recall of an order',
  'order answers': 'Answers to orders',
  'paid checks': 'Paid checks',
  mail: 'Mail',
  statement: 'Bank statement',
  'mail scan': 'Scan of mail',
}

/** The status of a file, in words and in a color. */
export const fileStatusWords: Record<BankFile['status'], { text: string; color: string }> = {
  WRITTEN: { text: 'Waiting', color: 'petrol' },
  TRANSMITTED: { text: 'At the bank', color: 'petrol' },
  ACCEPTED: { text: 'Accepted', color: 'green' },
  REJECTED: { text: 'Rejected', color: 'red' },
  CANCELED: { text: 'Canceled', color: 'gray' },
  RECEIVED: { text: 'Received', color: 'petrol' },
  READ: { text: 'Read', color: 'green' },
  SET_ASIDE: { text: 'Set aside', color: 'red' },
}

const UNITS = ['bytes', 'kB', 'MB', 'GB'] as const

/** The size of a file, such as "940 bytes" or "1.2 MB". */
export function sizeText(bytes: number): string {
  let [size, unit] = [bytes, 0]
  for (; size >= 1_000 && unit < UNITS.length - 1; unit++) size /= 1_000
  return `${unit === 0 || size >= 100 ? Math.round(size) : size.toFixed(1)} ${UNITS[unit]}`
}
