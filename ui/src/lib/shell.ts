/** Quotes an argument for a POSIX shell. Without a quote in the word, PowerShell reads it in the same way. */
export function quoted(word: string): string {
  return /^[\w./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
