/**
 * Returns the seed of a random test. By default, each run of `npm test` takes the same steps. An environment variable
 * sets another seed: a number repeats a run, and `new` chooses a random one, as the long runs do.
 */
export function seedFrom(variable: string): number {
  const given = process.env[variable] ?? '20260302'
  return given === 'new' ? Math.floor(Math.random() * 2 ** 31) : Number(given)
}

/** A small generator of pseudo-random numbers from 0 to 1 that a seed repeats (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
