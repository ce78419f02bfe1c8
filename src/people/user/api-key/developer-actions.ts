export { changeWebhookUri, getWebhookUri } from '../../../webhook/endpoint/webhook-actions.ts'
export { sendTestEvent } from '../../../webhook/endpoint/webhook-test-actions.ts'
