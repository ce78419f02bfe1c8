import { OAuth, Remit } from 'remit-payments-sdk'

const { CLIENT_ID = '', CLIENT_SECRET = '', REDIRECT_URI = '' } = process.env
const oauth = new OAuth({ clientId: CLIENT_ID, clientSecret: CLIENT_SECRET, redirectUri: REDIRECT_URI })

/** Send the browser to `url`. Keep the rest in its session. */
export const begin = () => oauth.authorizeUrl({ scope: 'check' })

/** The browser returns to REDIRECT_URI. */
export async function finish(callbackUrl: string, session: { state: string; codeVerifier: string }) {
  const tokens = await oauth.exchange(callbackUrl, session)
  const remit = new Remit({
    oauth,
    tokens,
    onTokens: async (refreshed) => console.log('store', Object.keys(refreshed)),
  })
  return remit.payments.sendDigital({ amount: 12.5, name: 'Bob Recipient', recipient: 'bob@example.com' })
}
