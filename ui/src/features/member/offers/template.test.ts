import { describe, expect, it } from "vitest";

import { expand, readTemplate, type Value } from "./template";

/** The variables of RFC 6570, section 3.2, whose values are strings or lists. */
const VALUES: Record<string, Value> = {
  count: ["one", "two", "three"],
  dom: ["example", "com"],
  dub: "me/too",
  hello: "Hello World!",
  half: "50%",
  var: "value",
  who: "fred",
  base: "http://example.com/home/",
  path: "/foo/bar",
  list: ["red", "green", "blue"],
  v: "6",
  x: "1024",
  y: "768",
  empty: "",
  empty_keys: [],
};

function expanded(text: string, values: Record<string, Value> = VALUES): string {
  const template = readTemplate(text);
  return "problem" in template ? `✕ ${template.problem}` : expand(template, new Map(Object.entries(values)));
}

describe("templates of addresses", () => {
  // The examples of RFC 6570, sections 3.2.1 to 3.2.9, without those that have associative arrays.
  it.each([
    ["{count}", "one,two,three"],
    ["{count*}", "one,two,three"],
    ["{/count}", "/one,two,three"],
    ["{/count*}", "/one/two/three"],
    ["{;count}", ";count=one,two,three"],
    ["{;count*}", ";count=one;count=two;count=three"],
    ["{?count}", "?count=one,two,three"],
    ["{?count*}", "?count=one&count=two&count=three"],
    ["{&count*}", "&count=one&count=two&count=three"],
    ["{var}", "value"],
    ["{hello}", "Hello%20World%21"],
    ["{half}", "50%25"],
    ["O{empty}X", "OX"],
    ["O{undef}X", "OX"],
    ["{x,y}", "1024,768"],
    ["{x,hello,y}", "1024,Hello%20World%21,768"],
    ["?{x,empty}", "?1024,"],
    ["?{x,undef}", "?1024"],
    ["?{undef,y}", "?768"],
    ["{var:3}", "val"],
    ["{var:30}", "value"],
    ["{list}", "red,green,blue"],
    ["{list*}", "red,green,blue"],
    ["{+var}", "value"],
    ["{+hello}", "Hello%20World!"],
    ["{+half}", "50%25"],
    ["{base}index", "http%3A%2F%2Fexample.com%2Fhome%2Findex"],
    ["{+base}index", "http://example.com/home/index"],
    ["O{+empty}X", "OX"],
    ["{+path}/here", "/foo/bar/here"],
    ["here?ref={+path}", "here?ref=/foo/bar"],
    ["up{+path}{var}/here", "up/foo/barvalue/here"],
    ["{+x,hello,y}", "1024,Hello%20World!,768"],
    ["{+path,x}/here", "/foo/bar,1024/here"],
    ["{+path:6}/here", "/foo/b/here"],
    ["{#var}", "#value"],
    ["{#hello}", "#Hello%20World!"],
    ["foo{#empty}", "foo#"],
    ["foo{#undef}", "foo"],
    ["{#path,x}/here", "#/foo/bar,1024/here"],
    ["X{.var}", "X.value"],
    ["X{.empty}", "X."],
    ["X{.undef}", "X"],
    ["www{.dom*}", "www.example.com"],
    ["X{.list}", "X.red,green,blue"],
    ["X{.list*}", "X.red.green.blue"],
    ["{/who}", "/fred"],
    ["{/half,who}", "/50%25/fred"],
    ["{/who,dub}", "/fred/me%2Ftoo"],
    ["{/var,empty}", "/value/"],
    ["{/var,undef}", "/value"],
    ["{/var,x}/here", "/value/1024/here"],
    ["{/var:1,var}", "/v/value"],
    ["{/list*,path:4}", "/red/green/blue/%2Ffoo"],
    ["{;who}", ";who=fred"],
    ["{;half}", ";half=50%25"],
    ["{;empty}", ";empty"],
    ["{;v,empty,who}", ";v=6;empty;who=fred"],
    ["{;v,undef,who}", ";v=6;who=fred"],
    ["{;hello:5}", ";hello=Hello"],
    ["{?who}", "?who=fred"],
    ["{?x,y}", "?x=1024&y=768"],
    ["{?x,y,empty}", "?x=1024&y=768&empty="],
    ["{?x,y,undef}", "?x=1024&y=768"],
    ["{?var:3}", "?var=val"],
    ["?fixed=yes{&x}", "?fixed=yes&x=1024"],
    ["{&x,y,empty}", "&x=1024&y=768&empty="],
    ["{?empty_keys}", ""],
  ])("%s becomes %s", (text, wanted) => expect(expanded(text)).toBe(wanted));

  it("writes every other character as its bytes, and no half of one", () => {
    expect(expanded("file:///{name}", { name: "ä 漢😀/%41" })).toBe("file:///%C3%A4%20%E6%BC%A2%F0%9F%98%80%2F%2541");
    expect(expanded("{name:1}", { name: "😀x" })).toBe("%F0%9F%98%80");
    // Operators that allow reserved characters do not encode existing escapes again.
    expect(expanded("{+name}", { name: "a%20b%zz" })).toBe("a%20b%25zz");
  });

  it("leaves the address around the expressions as it is", () => {
    expect(expanded("notes://a/b?c=d#e{+f}", {})).toBe("notes://a/b?c=d#e");
    expect(expanded("plain://no/expression", {})).toBe("plain://no/expression");
  });

  it("takes names with a hyphen, which servers write", () => {
    expect(expanded("repo://{repo-owner}/{repo.name}", { "repo-owner": "me", "repo.name": "x" })).toBe("repo://me/x");
  });

  it("names each variable once, as a list where it is one anywhere", () => {
    const template = readTemplate("{a}{?b,a*}");
    expect("variables" in template && template.variables.map(({ name, exploded }) => [name, exploded])).toEqual([
      ["a", true],
      ["b", false],
    ]);
  });

  it.each([
    ["{a", /\{ without a \}/],
    ["a}", /\} without a \{/],
    ["{}", /no expression/],
    ["{=a}", /no expression/],
    ["{a b}", /no expression/],
    ["{a:0}", /no expression/],
    ["{{a}}", /no expression/],
    ["{x}".repeat(500), /too many/],
  ])("says why %s is no template", (text, why) => expect(expanded(text)).toMatch(why));
});
