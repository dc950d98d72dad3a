export function record(folder: string, part: string, entries: readonly object[]): void;
export function table(records: readonly object[]): string[];
