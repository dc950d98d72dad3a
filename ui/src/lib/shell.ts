/** Quotes a path for a terminal: for PowerShell if it is a Windows path, otherwise for a POSIX shell. */
export function quoted(path: string): string {
  if (/^[\w./-]+$/.test(path)) return path;
  const isWindows = /^([A-Za-z]:|\\\\)/.test(path);
  if (isWindows && /^[\w.:\\/-]+$/.test(path)) return path;
  // In PowerShell, typographic quotes end a text too.
  const inside = isWindows ? path.replaceAll(/['‘’‚‛]/g, "$&$&") : path.replaceAll("'", "'\\''");
  return `'${inside}'`;
}
