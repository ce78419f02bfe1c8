/** The seed of a random test: from the environment variable that repeats a run, or a new one. */
export const seedFrom = (variable: string): number =>
  Number(process.env[variable] ?? Math.floor(Math.random() * 2 ** 31))

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
