import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'
import { waitUntil } from './wait-until.ts'

// The main example of the dashboard. A test runs it without pauses, and `npm run browser-story` at the speed of a user.

/** The way in which a person uses a page: with the mouse or with the keyboard alone. */
export type Hand = {
  press(target: Locator): Promise<void>
  /** Goes to a field and types. */
  type(field: Locator, text: string): Promise<void>
  /** Sends the form of the field in which the person has typed. */
  submit(): Promise<void>
  /** Opens a URL. */
  visit(path: string): Promise<void>
}

export type Story = {
  page: Page
  hand: Hand
  owner: { email: string; password: string }
  payee: string
  /** Runs one pass of a service's background work. */
  background?: { invite(): Promise<unknown>; advance(): Promise<unknown> }
}

export type Step = { name: string; run(): Promise<void> }

/**
 * Every timeline entry of a PAID check that a payee without an account deposited. The money arrives on the next banking
 * day.
 */
const paidTimeline = [
  'Payment created',
  'Mail sent to the payee',
  'Deposit started by ACH',
  'Debit of the sender’s account sent',
  'Debit settled',
  'Funds confirmed',
  'Sent to the payee',
  'Paid',
]

/** Sends a check, deposits it as its payee and waits until it is PAID, only in the browser. */
export function storySteps({ page, hand, owner, payee, background }: Story): Step[] {
  const button = (name: string | RegExp) => page.getByRole('button', { name, exact: typeof name === 'string' })
  const link = (name: string | RegExp) => page.getByRole('link', { name, exact: typeof name === 'string' })
  const fill = (label: string, text: string) => hand.type(page.getByLabel(label, { exact: true }), text)
  return [
    {
      name: 'sign in',
      run: async () => {
        await hand.visit('/sign-in')
        await fill('Email', owner.email)
        await fill('Password', owner.password)
        await hand.submit()
        await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor()
      },
    },
    {
      name: 'add a bank',
      run: async () => {
        await hand.press(link('Accounts'))
        await hand.press(button('Add bank').first())
        await fill('Routing number', '021000021')
        await fill('Account number', '5566778899')
        await hand.submit()
        await button(/^Verify /).waitFor()
      },
    },
    {
      name: 'verify it',
      run: async () => {
        await hand.press(button(/^Verify /))
        await fill('First amount', '0.07')
        await fill('Second amount', '0.15')
        await hand.submit()
        await page.getByText('Verified', { exact: true }).waitFor()
      },
    },
    {
      name: 'send a check to an email address',
      run: async () => {
        await hand.press(link('Send payment'))
        await fill('To', payee)
        await fill('Name of the payee', 'Dana Payee')
        await fill('Amount', '125.50')
        await hand.submit()
        await hand.press(button('Send $125.50'))
        await page.getByText('Payment sent').waitFor()
        await background?.invite()
      },
    },
    {
      name: 'open the mail',
      run: async () => {
        await hand.press(link('Open the email'))
        await hand.press(link('Open link').first())
        await button('Deposit into a bank account').waitFor()
      },
    },
    {
      name: 'deposit as the recipient',
      run: async () => {
        await hand.press(button('Deposit into a bank account'))
        await fill('Routing number', '011000015')
        await fill('Account number', '9988776655')
        await fill('Confirm account number', '9988776655')
        await hand.press(button(/^Get \$125\.50/))
        await page
          .getByText(/on its way|in process/i)
          .first()
          .waitFor()
      },
    },
    {
      name: 'move the clock and see PAID',
      run: async () => {
        await hand.visit('/payments')
        await hand.press(link(/Dana Payee/))
        await hand.press(button('Advance the clock by 1 week'))
        await waitUntil('the payment is paid', async () => {
          await background?.advance()
          return (await page.getByText('Paid', { exact: true }).count()) > 0
        })
      },
    },
    {
      name: 'read the whole timeline',
      run: async () => {
        const heading = page.getByRole('heading', { name: 'Timeline' })
        const timeline = page.locator('section').filter({ has: heading }).getByRole('listitem')
        await waitUntil('the timeline is whole', async () => {
          await background?.advance()
          return (await timeline.count()) >= paidTimeline.length
        })
        const entries = (await timeline.allInnerTexts()).map((entry) => entry.split('\n')[0])
        assert.deepEqual(
          entries.filter((entry) => entry !== 'Money arrived'),
          paidTimeline,
        )
        await page.getByRole('img', { name: 'The check for $125.50 to Dana Payee' }).waitFor()
      },
    },
    {
      name: 'download the copy',
      run: async () => {
        const [copy] = await Promise.all([page.waitForEvent('download'), hand.press(button('Download copy'))])
        assert.equal(copy.suggestedFilename(), 'check-1-copy.pdf')
      },
    },
  ]
}

/** Called before each action, with the number of typed characters. */
export type Pace = { action(): Promise<unknown>; msPerCharacter: number }

const noPace: Pace = { action: async () => {}, msPerCharacter: 0 }

export const mouseHand = (page: Page, pace = noPace): Hand => ({
  press: async (target) => {
    await target.waitFor()
    await pace.action()
    await target.click()
  },
  type: async (field, text) => {
    await field.waitFor()
    await pace.action()
    await field.click()
    await page.keyboard.type(text, { delay: pace.msPerCharacter })
  },
  submit: async () => {
    await pace.action()
    await page.locator('form:has(:focus) [type="submit"]').click()
  },
  visit: async (path) => {
    await pace.action()
    await page.goto(path)
  },
})

/** Moves to each control with Tab. */
export function keyboardHand(page: Page, pace = noPace): Hand {
  const goTo = async (target: Locator) => {
    await target.waitFor()
    await pace.action()
    for (let presses = 0; presses < 150; presses++) {
      if ((await target.and(page.locator(':focus')).count()) > 0) return
      await page.keyboard.press('Tab')
    }
    assert.fail(`${target} is not reachable by keyboard`)
  }
  return {
    press: async (target) => {
      await goTo(target)
      await page.keyboard.press('Enter')
    },
    type: async (field, text) => {
      await goTo(field)
      await page.keyboard.type(text, { delay: pace.msPerCharacter })
    },
    submit: async () => {
      await pace.action()
      await page.keyboard.press('Enter')
    },
    visit: async (path) => {
      await pace.action()
      await page.goto(path)
    },
  }
}
