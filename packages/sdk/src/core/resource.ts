import type { Client } from './client.ts'

/** A group of operations. */
export class Resource {
  protected readonly client: Client

  constructor(client: Client) {
    this.client = client
  }
}
