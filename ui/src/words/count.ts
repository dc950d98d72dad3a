import { number } from "./chosen";

/** `1 tool`, `2 tools`, `2,000 tools`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${number(count)} ${count === 1 ? one : many}`;
}
