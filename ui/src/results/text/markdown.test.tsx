import { render, screen } from "@testing-library/react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";

import { readInline } from "./inline";
import { Markdown } from "./Markdown";
import { readBlocks } from "./markdown";

/** Letters and digits in their order: what can be read of a text. */
function readable(text: string): string {
  return text.replace(/[^\p{L}\p{N}]/gu, "");
}

/** A source of numbers that gives the same ones for the same seed. */
function dice(seed: number) {
  let state = seed;
  return (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** How React writes the five characters that HTML gives a meaning. */
const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', "#x27": "'" };

const PIECES = [
  "*", "**", "_", "__", "~~", "`", "``", "```", "[", "](", ")", "![", "]", "<", ">", "\\", "\n", "\n\n", "\n- ", "\n  - ", "\n1. ", "\n> ", "\n# ",
  "\n---\n", "|", "\n|-|-|\n", "  \n", "    ", "\t", "a", "b1", "word ", " x", "ü", "https://e.org/a_(b)", '"t"', "&amp;", "<b>", "\r\n", "😀", "~~~", "===\n", "\n===\n", "* * *",
];

describe("Markdown", () => {
  it("headings, lists, tables, quotes, code and rules are elements", () => {
    const { container } = render(
      <Markdown
        text={[
          "# One", "", "Two *three* **four** ~~five~~ `six`", "", "- a", "  - b", "- [x] c", "", "3. d", "4. e", "", "> quoted",
          "", "```ts", "const a = 1;", "```", "", "| k | v |", "|:--|--:|", "| f | 9 |", "", "---", "end",
        ].join("\n")}
      />,
    );
    expect(screen.getByRole("heading", { name: "One" })).toHaveAttribute("aria-level", "3");
    expect(container.querySelector("em")).toHaveTextContent("three");
    expect(container.querySelector("strong")).toHaveTextContent("four");
    expect(container.querySelector("s")).toHaveTextContent("five");
    expect(screen.getAllByRole("list")).toHaveLength(3);
    expect(screen.getByRole("img", { name: "done" })).toBeVisible();
    expect(screen.getByText("3.")).toBeVisible();
    expect(container.querySelector("blockquote")).toHaveTextContent("quoted");
    expect(screen.getByLabelText("code, ts")).toHaveTextContent("const a = 1;");
    expect(screen.getByRole("columnheader", { name: "v" })).toHaveClass("text-right");
    expect(container.querySelector("hr")).not.toBeNull();
  });

  it("nothing is fetched, nothing can be followed, no markup is made of markup", () => {
    const { container } = render(
      <Markdown text={'[go](javascript:alert(1)) ![pic](https://e.org/p.png "t") <https://e.org> <img src=x onerror=alert(1)> <script>1</script>'} />,
    );
    expect(container.querySelectorAll("a, img, script, [href], [src]")).toHaveLength(0);
    expect(container).toHaveTextContent("javascript:alert(1)");
    expect(container).toHaveTextContent("https://e.org/p.png");
    expect(container).toHaveTextContent("<img src=x onerror=alert(1)>");
  });

  it("never throws and never loses a letter, for 2,000 texts thrown together", () => {
    for (let seed = 1; seed <= 2_000; seed += 1) {
      const roll = dice(seed);
      const text = Array.from({ length: 1 + roll(40) }, () => PIECES[roll(PIECES.length)]).join("");
      const html = renderToStaticMarkup(<Markdown text={text} />);
      const shown = html.replace(/<[^>]*>/g, "").replace(/&(amp|lt|gt|quot|#x27);/g, (_, name: string) => ENTITIES[name] ?? "");
      // A ticked box is drawn as one.
      const wanted = readable(text.replace(/(^|[-*+.)] )\[[xX]\](?= )/gm, "$1"));
      const got = readable(shown.replaceAll("picture, not fetched", ""));
      expect(got, JSON.stringify(text)).toBe(wanted);
    }
  });

  it("reads 400,000 characters in moments, however hostile they are", () => {
    const hostile = ["*a ", "**", "_a_", "`", "[", "](", "[](", "![", "<", "~~", "> ", "- ", "|", "\\", "#", "    ", "1. ", "[a](b", "` `` "];
    for (const piece of hostile) {
      const time = (length: number) => {
        const text = piece.repeat(length / piece.length);
        const began = performance.now();
        for (const block of readBlocks(text)) if (block.kind === "paragraph") readInline(block.text.slice(0, 20_000));
        readBlocks(`${piece}\n`.repeat(length / 8));
        return performance.now() - began;
      };
      time(10_000);
      expect(time(400_000), piece).toBeLessThan(4_000);
    }
  });

  it("is bounded in depth", () => {
    render(<Markdown text={`${">".repeat(500)} deep ${"*".repeat(3)}${"_*".repeat(500)}x`} />);
    expect(screen.getByText(/deep/)).toBeVisible();
    let depth = 0;
    for (let node = screen.getByText(/deep/).parentElement; node; node = node.parentElement) depth += 1;
    expect(depth).toBeLessThan(60);
  });
});
