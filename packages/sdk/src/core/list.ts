import type { Answer, QueryValue, ResponseInfo } from './operation.ts'

type Query = Readonly<Record<string, QueryValue>>

/** Fetches a page. */
type FetchPage<Body> = (query: Query) => Promise<Answer<Body>>

/** One page of a list. */
export class Page<Item, Body> {
  /** The answer as the API gives it. The first page has `page`, `pages` and `total`; pages by cursor do not. */
  readonly body: Body
  readonly items: Item[]
  readonly response: ResponseInfo
  readonly #next: (() => Promise<Page<Item, Body>>) | null

  constructor(
    { data, response }: Answer<Body>,
    field: string,
    next: ((cursor: string) => Promise<Page<Item, Body>>) | null,
  ) {
    this.body = data
    this.items = (data as Record<string, Item[]>)[field] as Item[]
    this.response = response
    const cursor = nextCursor(response.headers)
    this.#next = cursor !== null && next ? () => next(cursor) : null
  }

  get hasNext(): boolean {
    return this.#next !== null
  }

  /** Fetches the page after this one. Null after the last one. */
  async next(): Promise<Page<Item, Body> | null> {
    return this.#next ? this.#next() : null
  }
}

/**
 * A list: `await` gives its first page, and `for await` all its items, page by page. Nothing is fetched before, and the first page is
 * fetched once.
 */
export class List<Item, Body> implements Promise<Page<Item, Body>>, AsyncIterable<Item> {
  readonly [Symbol.toStringTag] = 'List'
  readonly #fetch: FetchPage<Body>
  readonly #query: Query
  readonly #field: string
  #first: Promise<Page<Item, Body>> | null = null

  constructor(fetch: FetchPage<Body>, { query, field }: { query: Query; field: string }) {
    this.#fetch = fetch
    this.#query = query
    this.#field = field
  }

  // biome-ignore lint/suspicious/noThenProperty: `await` gives the first page
  then<Done = Page<Item, Body>, Failed = never>(
    onDone?: ((page: Page<Item, Body>) => Done | PromiseLike<Done>) | null,
    onFailed?: ((reason: unknown) => Failed | PromiseLike<Failed>) | null,
  ): Promise<Done | Failed> {
    return this.#firstPage().then(onDone, onFailed)
  }

  catch<Failed = never>(
    onFailed?: ((reason: unknown) => Failed | PromiseLike<Failed>) | null,
  ): Promise<Page<Item, Body> | Failed> {
    return this.#firstPage().catch(onFailed)
  }

  finally(onEnd?: (() => void) | null): Promise<Page<Item, Body>> {
    return this.#firstPage().finally(onEnd)
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for await (const page of this.pages()) yield* page.items
  }

  /** Iterates over all pages, one at a time. */
  async *pages(): AsyncGenerator<Page<Item, Body>, void, undefined> {
    let page: Page<Item, Body> | null = await this.#firstPage()
    while (page) {
      yield page
      page = await page.next()
    }
  }

  /** Returns the items in an array, at most `limit` of them. */
  async toArray({ limit = Number.POSITIVE_INFINITY }: { limit?: number } = {}): Promise<Item[]> {
    const items: Item[] = []
    if (limit <= 0) return items
    for await (const item of this) if (items.push(item) >= limit) break
    return items
  }

  #firstPage(): Promise<Page<Item, Body>> {
    this.#first ??= this.#page(this.#query)
    return this.#first
  }

  async #page(query: Query): Promise<Page<Item, Body>> {
    const { page: _page, ...rest } = query
    return new Page(await this.#fetch(query), this.#field, (cursor) => this.#page({ ...rest, cursor }))
  }
}

/** Reads the cursor of `Link: <…?cursor=…>; rel="next"`. Only the cursor is used: a link never leads to another host. */
function nextCursor(headers: Headers): string | null {
  const [, link] = /<([^>]*)>\s*;[^,]*\brel="?next"?/.exec(headers.get('link') ?? '') ?? []
  return link === undefined ? null : new URL(link, 'http://localhost').searchParams.get('cursor')
}
