/** Splits an address at its host and finds warnings about it. Never opens or fetches the address. */

/** An address split at its host, with warnings. */
interface Address {
  /**
   * The text before the host. Like `host` and `after`, it is part of the address as sent, with invisible
   * characters made visible.
   */
  readonly before: string;
  readonly host: string;
  readonly after: string;
  /** The host that a browser would contact; `null` for an invalid address. */
  readonly goesTo: string | null;
  readonly warnings: readonly string[];
}

/** Matches control characters, invisible characters, and characters that change the direction of text. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\u00a0\u2000-\u200a\u202f\u205f\u3000]/gu;
const HIDDEN_ONE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\u00a0\u2000-\u200a\u202f\u205f\u3000]/u;
/** Captures the text before the host, then the host. As in browsers, `\` counts as `/`. */
const PARTS = /^([a-z][a-z0-9+.-]*:[\\/]*(?:[^\\/?#]*@)?)(\[[^\]]*\]|[^:\\/?#]*)/i;
const IP = /^(?:\d+\.\d+\.\d+\.\d+|\[.*\])$/;

function visible(text: string): string {
  return text.replace(HIDDEN, (hidden) => `⟨${(hidden.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}⟩`);
}

function parsed(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}

function isLocal(host: string): boolean {
  return host === "localhost" || host.endsWith(".localhost") || host === "[::1]" || host.startsWith("127.");
}

/** The host that a browser would contact; `null` for an invalid address. */
export function hostOf(text: string): string | null {
  const host = parsed(text)?.hostname ?? "";
  return host === "" ? null : host;
}

/** Parses an address as a browser does, and adds a warning for everything that may mislead the user. */
export function readAddress(text: string): Address {
  const url = parsed(text);
  const cut = PARTS.exec(text);
  const before = visible(cut?.[1] ?? "");
  const host = visible(cut?.[2] ?? "");
  const after = visible(text.slice(cut?.[0].length ?? 0));
  const goesTo = hostOf(text);
  return { before, host, after, goesTo, warnings: warningsOf(text, url, cut?.[2] ?? "") };
}

function warningsOf(text: string, url: URL | null, written: string): readonly string[] {
  if (url === null || url.hostname === "") return ["This isn't a valid web address."];
  const warnings: string[] = [];
  if (url.protocol === "http:") {
    warnings.push(
      isLocal(url.hostname)
        ? "Not HTTPS, but it stays on this computer."
        : "Not HTTPS: others on the network can read or change what you send.",
    );
  } else if (url.protocol !== "https:") {
    warnings.push(`It is not https but ${url.protocol} and would be opened by another program.`);
  }
  const host = url.hostname;
  if (/(?:^|\.)xn--/.test(host)) {
    warnings.push(
      /[^\p{ASCII}]/u.test(written)
        ? `Its host has letters that look like others. Browsers read it as ${host}.`
        : "Its host is in punycode (xn--). Browsers may show letters that look like others.",
    );
  } else if (written.toLowerCase() !== host && !IP.test(host)) {
    warnings.push(`Browsers read its host as ${host}.`);
  }
  if (IP.test(host) && !isLocal(host)) warnings.push("Its host is a number, not a name.");
  if (url.username !== "" || url.password !== "") {
    warnings.push(`Misleading address: the part before @ isn't the site. It opens ${host}.`);
  }
  if (HIDDEN_ONE.test(text)) warnings.push("Contains invisible characters, shown as ⟨…⟩.");
  if (text.includes("\\")) warnings.push("Contains a backslash, which browsers read as a slash.");
  return warnings;
}
