import { describe, expect, it } from "vitest";

import { readAddress } from "./address";

const warned = (text: string) => readAddress(text).warnings.join(" ");

describe("an address that a person is sent to", () => {
  it("is cut at its host, with nothing left out", () => {
    const { before, host, after, goesTo, warnings } = readAddress("https://sign.example.com:8443/a?b=c#d");
    expect([before, host, after]).toEqual(["https://", "sign.example.com", ":8443/a?b=c#d"]);
    expect(goesTo).toBe("sign.example.com");
    expect(warnings).toEqual([]);
  });

  it("is warned of where it is not https", () => {
    expect(warned("http://example.com/")).toMatch(/Not HTTPS: others/);
    expect(warned("http://127.0.0.1:3000/")).toMatch(/stays on this computer/);
    expect(warned("javascript://example.com/%0aalert(1)")).toMatchInlineSnapshot(`"It is not https but javascript: and would be opened by another program."`);
  });

  it("names the host that a browser makes of letters that look like others", () => {
    // The first letter is Cyrillic.
    expect(warned("https://аpple.com/")).toMatch(/look like others.*xn--pple-43d\.com/);
    expect(warned("https://xn--pple-43d.com/")).toMatch(/punycode/);
  });

  it("says where it goes when something else stands before an @", () => {
    const address = readAddress("https://google.com@evil.example/");
    expect(address.host).toBe("evil.example");
    expect(address.warnings.join(" ")).toMatchInlineSnapshot(`"Misleading address: the part before @ isn't the site. It opens evil.example."`);
  });

  it("follows browsers where a backslash or a strange number hides the host", () => {
    expect(readAddress("https:\\\\evil.example\\@google.com").goesTo).toBe("evil.example");
    expect(warned("https:\\\\evil.example\\@google.com")).toMatch(/read as a slash/);
    expect(warned("https://3232235777/")).toMatchInlineSnapshot(`"Its host is a number, not a name."`);
    expect(readAddress("https://3232235777/").goesTo).toBe("192.168.1.1");
  });

  it("shows what can't be seen", () => {
    const address = readAddress("https://example.com/\u202egnp.exe");
    expect(address.after).toBe("/⟨202E⟩gnp.exe");
    expect(address.warnings.join(" ")).toMatch(/invisible characters/);
  });

  it("says so when no browser could go there", () => {
    expect(warned("not an address")).toMatch(/isn't a valid/);
    expect(readAddress("not an address").goesTo).toBeNull();
    expect(warned("https://")).toMatch(/isn't a valid/);
  });

  it("never loses a character, whatever it is given", () => {
    for (const text of ["", "a", "https:evil.example/x", "https://[::1]:3/x", "//x/y", "mailto:me@example.com", "https://a:b@c.example:1"]) {
      const { before, host, after } = readAddress(text);
      expect(before + host + after).toBe(text);
    }
  });
});
