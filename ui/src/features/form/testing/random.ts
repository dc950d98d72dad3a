/** A seeded random number generator (mulberry32), so that failures can be reproduced. */
export class Random {
  private state: number;

  constructor(seed: string) {
    let hash = 0x811c9dc5;
    for (let index = 0; index < seed.length; index += 1) hash = Math.imul(hash ^ seed.charCodeAt(index), 0x01000193);
    this.state = hash >>> 0;
  }

  /** A number from 0 (inclusive) to 1 (exclusive). */
  part(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  /** An integer between two numbers, both inclusive. */
  between(least: number, most: number): number {
    return least + Math.floor(this.part() * (most - least + 1));
  }

  chance(part: number): boolean {
    return this.part() < part;
  }

  one<T>(of: readonly T[]): T {
    const found = of[this.between(0, of.length - 1)];
    if (found === undefined) throw new Error("There is nothing to choose from.");
    return found;
  }

  shuffled<T>(of: readonly T[]): T[] {
    const left = [...of];
    const result: T[] = [];
    while (left.length > 0) result.push(...left.splice(this.between(0, left.length - 1), 1));
    return result;
  }
}
