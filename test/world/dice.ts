import { createHash } from 'node:crypto'
import { randomFrom } from '../support/seed.ts'

/** Random choices that depend only on the seed. */
export type Dice = {
  /** Returns a number from 0 to 1. */
  random(): number
  chance(probability: number): boolean
  /** Returns an item of the list, or undefined if it is empty. */
  pick<One>(list: readonly One[]): One | undefined
  /** Returns an item of a list that is not empty. */
  one<One>(list: readonly [One, ...One[]]): One
  between(from: number, to: number): number
}

export function createDice(seed: number): Dice {
  const random = randomFrom(seed)
  const pick = <One>(list: readonly One[]): One | undefined => list[Math.floor(random() * list.length)]
  return {
    random,
    chance: (probability) => random() < probability,
    pick,
    one: (list) => pick(list) as (typeof list)[number],
    between: (from, to) => from + Math.floor(random() * (to - from + 1)),
  }
}

/** Returns the dice of something that has a name. They do not depend on what was drawn before. */
export const createDiceOf = (seed: number, name: string): Dice =>
  createDice(createHash('sha256').update(`${seed} ${name}`).digest().readUInt32BE())

/** Returns bytes for ids, keys and nonces that depend only on the seed. */
export function createBytes(seed: number): { bytes(length: number): Buffer } {
  const random = randomFrom(seed)
  return { bytes: (length) => Buffer.from(Array.from({ length }, () => Math.floor(random() * 256))) }
}
