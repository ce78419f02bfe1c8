/** The owner of the demo, whose keys everybody knows: what is done with them is gone the next day. */
export const publishedOwner = {
  email: 'demo@example.com',
  password: 'everybody-knows-this',
  name: 'Demo Company',
  published: {
    id: 'de30de30de307e308e30de30de30de30', // always the same: a process may remember for a moment whose the key is
    apiKey: { key: 'de30de30de30de30de30de30de30de30', secret: 'EverybodyKnowsThisSecretOfTheRemitDemo00' },
    webhookKey: 'de30c0ffee00de30c0ffee00de30c0ff',
  },
}
