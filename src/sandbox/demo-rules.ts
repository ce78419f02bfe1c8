/** The owner of the demo. Its keys are public, and its data is reset every day. */
export const publishedOwner = {
  email: 'demo@example.com',
  password: 'everybody-knows-this',
  name: 'Demo Company',
  published: {
    id: 'de30de30de307e308e30de30de30de30', // constant, because a process may cache the owner of a key
    apiKey: { key: 'de30de30de30de30de30de30de30de30', secret: 'EverybodyKnowsThisSecretOfTheRemitDemo00' },
    webhookKey: 'de30c0ffee00de30c0ffee00de30c0ff',
  },
}
