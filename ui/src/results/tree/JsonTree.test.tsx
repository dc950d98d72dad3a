import { render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";

import { finish } from "../json/steps";
import { readTape } from "../json/tape";
import { JsonTree } from "./JsonTree";

function show(text: string, problems?: ReadonlyMap<string, string>) {
  const read = finish(readTape(text));
  if ("problem" in read) throw new Error(read.problem.message);
  const user = userEvent.setup();
  const view = render(<JsonTree tape={read.ok} name="value" label="the tree" {...(problems && { problems })} />);
  const tree = screen.getByRole("tree", { name: "the tree" });
  const active = () => view.container.ownerDocument.getElementById(tree.getAttribute("aria-activedescendant") ?? "");
  return { user, tree, active };
}

const rows = () => screen.getAllByRole("treeitem").map((row) => row.textContent);

describe("JSON as a tree", () => {
  it("shows each value as it was written", () => {
    show('{"a":9007199254740993,"b":1.0,"c":"x\\ny","d":null,"e":[],"f":1e400}');
    expect(rows()).toEqual(["value { 6 }", "a: 9007199254740993", "b: 1.0", 'c: "x\\ny"', "d: null", "e [ 0 ] ", "f: 1e400"]);
  });

  it("is walked, opened and closed by keys", async () => {
    const { user, tree, active } = show('{"a":{"b":[1,{"c":2}]},"z":0}');
    await user.click(tree);
    tree.focus();
    await user.keyboard("{Home}");
    expect(active()).toHaveTextContent("value");
    await user.keyboard("{ArrowDown}{ArrowLeft}");
    expect(active()).toHaveAttribute("aria-expanded", "false");
    expect(rows()).toHaveLength(3);
    await user.keyboard("{ArrowRight}{ArrowRight}");
    expect(active()).toHaveTextContent("b");
    expect(active()).toHaveAttribute("aria-level", "3");
    await user.keyboard("{End}");
    expect(active()).toHaveTextContent("z: 0");
    await user.keyboard("{Home}-");
    expect(rows()).toEqual(["value { 2 } a, z"]);
    await user.keyboard("*");
    expect(rows()).toHaveLength(7);
    await user.keyboard("{End}{ArrowUp}{ArrowLeft}");
    expect(active()).toHaveTextContent("1 { 1 }");
    expect(active()).toHaveAttribute("aria-posinset", "2");
    expect(active()).toHaveAttribute("aria-setsize", "2");
  });

  it("copies the path and the value of the row", async () => {
    const { user, tree } = show('{"a/b":[{"c~":"text \\"q\\""}]}');
    tree.focus();
    await user.keyboard("{End}p");
    expect(await navigator.clipboard.readText()).toBe("/a~1b/0/c~0");
    expect(screen.getByText("Path copied")).toBeVisible();
    await user.keyboard("c");
    expect(await navigator.clipboard.readText()).toBe('text "q"');
    await user.keyboard("{ArrowUp}");
    await user.click(screen.getByRole("button", { name: "Copy value" }));
    expect(await navigator.clipboard.readText()).toBe('{\n  "c~": "text \\"q\\""\n}');
  });

  it("finds keys and values, counts them, and opens the way to each", async () => {
    const long = JSON.stringify({ list: Array.from({ length: 3_000 }, (_, index) => ({ index, name: index === 2_345 ? "Needle" : "hay" })), needle: true });
    const { user, active } = show(long);
    await user.type(screen.getByRole("searchbox", { name: "Find in the tree" }), "needle");
    expect(await screen.findByText("1 of 2")).toBeVisible();
    expect(active()).toHaveTextContent('name: "Needle"');
    expect(within(active()!).getByText("Needle").tagName).toBe("MARK");
    await user.keyboard("{Enter}");
    expect(active()).toHaveTextContent("needle: true");
    await user.keyboard("{Enter}");
    expect(screen.getByText("1 of 2")).toBeVisible();
    await user.keyboard("{Shift>}{Enter}{/Shift}");
    expect(screen.getByText("2 of 2")).toBeVisible();
    await user.keyboard("zzz");
    expect(await screen.findByText("none")).toBeVisible();
  });

  it("a long list is in groups, and few rows are on the page when all of it is open", async () => {
    const { user } = show(`[${Array.from({ length: 20_000 }, (_, index) => index).join(",")}]`);
    expect(screen.getByRole("treeitem", { name: /^0 … 999/ })).toBeVisible();
    await user.click(screen.getByRole("button", { name: "Expand all" }));
    expect(screen.getAllByRole("treeitem").length).toBeLessThan(100);
    expect(screen.getByRole("treeitem", { name: /^0 ?: ?0/ })).toBeVisible();
    await user.click(screen.getByRole("button", { name: "Collapse all" }));
    expect(rows()).toHaveLength(21);
  });

  it("cuts a long text until all of it is asked for", async () => {
    const { user } = show(JSON.stringify({ long: "x".repeat(5_000) }));
    expect(screen.getByRole("treeitem", { name: /^long/ }).textContent.length).toBeLessThan(400);
    await user.click(screen.getByRole("button", { name: "show all (5,002 characters)" }));
    expect(screen.getByRole("treeitem", { name: /^long/ }).textContent.length).toBeGreaterThan(5_000);
  });

  it("says at its place what is wrong with a value", () => {
    show('{"a":[1,"2"]}', new Map([["/a/1", "is no number"]]));
    expect(screen.getByRole("treeitem", { name: /^1.*"2".*is no number/ })).toBeVisible();
  });
});
