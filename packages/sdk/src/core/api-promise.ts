import type { Answer } from './operation.ts'

/** The result of a call. `await` gives its data, `withResponse()` also the status, the headers and the request id. */
export class ApiPromise<Data> extends Promise<Data> {
  readonly #answer: Promise<Answer<Data>>

  constructor(answer: Promise<Answer<Data>>) {
    super((resolve, reject) => answer.then(({ data }) => resolve(data), reject))
    this.#answer = answer
  }

  /** `then` returns a plain promise. */
  static override get [Symbol.species](): PromiseConstructor {
    return Promise
  }

  withResponse(): Promise<Answer<Data>> {
    // The caller gets the error from the returned promise. Without this, it would also be an unhandled rejection of this one.
    this.catch(() => {})
    return this.#answer
  }
}
