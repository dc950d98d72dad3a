import { render, screen } from "@testing-library/react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";

import { canRender, isMarkdown, Markdown } from "./Markdown";
import Rendered from "./Rendered";

const shown = () => screen.findByTestId("markdown");

/** Markdown fragments that make a parser backtrack often. */
const HOSTILE = ["*a ", "**", "_a_", "`", "[", "](", "[](", "![", "<", "~~", "> ", "- ", "|", "\\", "#", "    ", "1. ", "[a](b", "` `` ", "*a_ ", "<a ", "[^", "&", "www.", "@a"];

const fill = (piece: string) => piece.repeat(200_000 / piece.length);

function time(text: string): number {
  const began = performance.now();
  renderToStaticMarkup(<Rendered text={text} />);
  return performance.now() - began;
}

describe("Markdown", () => {
  it("shows blocks and emphasis as elements", async () => {
    const { container } = render(
      <Markdown
        text={[
          "# One", "", "Two *three* **four** ~~five~~ `six`", "", "- a", "  - b", "- [x] c", "", "3. d", "4. e", "", "> quoted",
          "", "```ts", "const a = 1;", "```", "", "| k | v |", "|:--|--:|", "| f | 9 |", "", "---", "end",
        ].join("\n")}
      />,
    );
    expect(await screen.findByRole("heading", { name: "One" })).toHaveAttribute("aria-level", "3");
    expect(container.querySelector("em")).toHaveTextContent("three");
    expect(container.querySelector("strong")).toHaveTextContent("four");
    expect(container.querySelector("del")).toHaveTextContent("five");
    expect(screen.getAllByRole("list")).toHaveLength(3);
    expect(screen.getByRole("img", { name: "done" })).toBeVisible();
    expect(container.querySelector("ol")).toHaveAttribute("start", "3");
    expect(container.querySelector("blockquote")).toHaveTextContent("quoted");
    expect(screen.getByLabelText("code")).toHaveTextContent("const a = 1;");
    expect(screen.getByRole("columnheader", { name: "v" })).toHaveStyle({ textAlign: "right" });
    expect(container.querySelector("hr")).not.toBeNull();
  });

  it("fetches nothing, follows nothing, keeps HTML as text", async () => {
    const { container } = render(
      <Markdown text={'[go](javascript:alert(1)) ![pic](https://e.org/p.png "t") <https://e.org> <img src=x onerror=alert(1)> <script>1</script> www.e.org [^1]\n\n<div>block</div>\n\n[^1]: note'} />,
    );
    await shown();
    expect(container.querySelectorAll("a, img, script, [href], [src]")).toHaveLength(0);
    expect(container).toHaveTextContent("javascript:alert(1)");
    expect(container).toHaveTextContent("https://e.org/p.png");
    expect(container).toHaveTextContent("<img src=x onerror=alert(1)>");
    expect(container).toHaveTextContent("<div>block</div>");
  });

  it("keeps long hostile text plain", () => {
    const rendered = HOSTILE.filter((piece) => [piece, `${piece}\n`, `${piece.repeat(100)}\n\n`].some((many) => canRender(fill(many))));
    // These fragments cost the parser hardly more than plain letters.
    expect(rendered).toEqual(["\\", "    ", "www."]);
  });

  it("reads hostile text as fast as ordinary text", () => {
    // The times are relative to ordinary text, because both are slower on a busy machine. Without the limits, some take
    // 15 times as long.
    const ordinary = time("Plain *words* of a `text`.\n\n".repeat(3_300));
    for (const piece of HOSTILE) {
      for (const many of [piece, `${piece}\n`, `${piece.repeat(100)}\n\n`]) {
        // The longest variant of this text that is still rendered.
        let text = fill(many);
        while (!canRender(text)) text = text.slice(0, text.length * 0.8);
        expect(time(text), many).toBeLessThan(4 * ordinary);
      }
    }
  });

  it("shows very deep and very long text as it is", () => {
    for (const text of [`${">".repeat(500)} deep`, "- ".repeat(500), "# a\n".repeat(60_000)]) expect(canRender(text)).toBe(false);
  });

  it("is found by headings, lists, tables and fences", () => {
    for (const text of ["# Notes\n- buy screws", "- a\n- b", "1. a", "Intro\n\n* a", "```\ncode\n```", "| a | b |\n|---|---|\n| 1 | 2 |"]) {
      expect(isMarkdown(text), text).toBe(true);
    }
    for (const text of ["plain", "# comment\nimport os", "a - b", "key:\n  - a", "#!/bin/sh", ""]) expect(isMarkdown(text), text).toBe(false);
  });
});
