import { describe, expect, it } from "vitest";

import { readAddress } from "./address";

const warned = (text: string) => readAddress(text).warnings.join(" ");

describe("an address to open", () => {
  it("is split at its host", () => {
    const { before, host, after, goesTo, warnings } = readAddress("https://sign.example.com:8443/a?b=c#d");
    expect([before, host, after]).toEqual(["https://", "sign.example.com", ":8443/a?b=c#d"]);
    expect(goesTo).toBe("sign.example.com");
    expect(warnings).toEqual([]);
  });

  it("has a warning without https", () => {
    expect(warned("http://example.com/")).toMatch(/Not HTTPS: others/);
    expect(warned("http://127.0.0.1:3000/")).toMatch(/stays on this computer/);
    expect(warned("javascript://example.com/%0aalert(1)")).toMatchInlineSnapshot(`"It is not https but javascript: and would be opened by another program."`);
  });

  it("shows the punycode host", () => {
    // The first letter of the host is Cyrillic.
    expect(warned("https://аpple.com/")).toMatch(/look like others.*xn--pple-43d\.com/);
    expect(warned("https://xn--pple-43d.com/")).toMatch(/punycode/);
  });

  it("shows the host after an @", () => {
    const address = readAddress("https://google.com@evil.example/");
    expect(address.host).toBe("evil.example");
    expect(address.warnings.join(" ")).toMatchInlineSnapshot(`"Misleading address: the part before @ isn't the site. It opens evil.example."`);
  });

  it("shows a host hidden by a backslash or number", () => {
    expect(readAddress("https:\\\\evil.example\\@google.com").goesTo).toBe("evil.example");
    expect(warned("https:\\\\evil.example\\@google.com")).toMatch(/read as a slash/);
    expect(warned("https://3232235777/")).toMatchInlineSnapshot(`"Its host is a number, not a name."`);
    expect(readAddress("https://3232235777/").goesTo).toBe("192.168.1.1");
  });

  it("shows invisible characters", () => {
    const address = readAddress("https://example.com/\u202egnp.exe");
    expect(address.after).toBe("/⟨202E⟩gnp.exe");
    expect(address.warnings.join(" ")).toMatch(/invisible characters/);
  });

  it("reports an invalid address", () => {
    expect(warned("not an address")).toMatch(/isn't a valid/);
    expect(readAddress("not an address").goesTo).toBeNull();
    expect(warned("https://")).toMatch(/isn't a valid/);
  });

  it("keeps every character", () => {
    for (const text of ["", "a", "https:evil.example/x", "https://[::1]:3/x", "//x/y", "mailto:me@example.com", "https://a:b@c.example:1"]) {
      const { before, host, after } = readAddress(text);
      expect(before + host + after).toBe(text);
    }
  });
});
