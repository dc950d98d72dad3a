import { render, screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";

import { canRender, isMarkdown, Markdown } from "./Markdown";

const shown = () => screen.findByTestId("markdown");

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

  it("reads hostile text of 200,000 characters in 4 s", async () => {
    const hostile = ["*a ", "**", "_a_", "`", "[", "](", "[](", "![", "<", "~~", "> ", "- ", "|", "\\", "#", "    ", "1. ", "[a](b", "` `` ", "*a_ ", "<a ", "[^", "&", "www.", "@a"];
    for (const piece of hostile) {
      const line = piece.repeat(100);
      for (const many of [piece, `${piece}\n`, `${line}\n\n`]) {
        // The longest of these texts that is rendered at all.
        let text = many.repeat(200_000 / many.length);
        while (!canRender(text)) text = text.slice(0, text.length * 0.8);
        const began = performance.now();
        const { unmount } = render(<Markdown text={text} />);
        await shown();
        expect(performance.now() - began, piece).toBeLessThan(4_000);
        unmount();
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
