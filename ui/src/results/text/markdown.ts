/** A Markdown text as headings, paragraphs, lists, tables, quotes and code. Line by line; bounded in depth. */

export type Block =
  | { readonly kind: "heading"; readonly level: number; readonly text: string }
  | { readonly kind: "paragraph"; readonly text: string }
  | { readonly kind: "code"; readonly language: string; readonly text: string }
  | { readonly kind: "rule" }
  | { readonly kind: "quote"; readonly inside: readonly Block[] }
  | { readonly kind: "list"; readonly items: readonly ListItem[] }
  | { readonly kind: "table"; readonly head: readonly string[]; readonly sides: readonly Side[]; readonly rows: readonly (readonly string[])[] };

interface ListItem {
  /** `•` or a number as it was written. */
  readonly mark: string;
  /** Whether its box is ticked, where it has one. */
  readonly done: boolean | null;
  readonly inside: readonly Block[];
}

type Side = "left" | "right" | "center";

/** Quotes and lists inside of one another go so deep; below that they are text. */
const DEPTH_MAX = 10;
/** A longer line begins no table. */
const ROW_MAX = 2_000;

const FENCE = /^ {0,3}(`{3,}|~{3,})([^`]*)$/;
const HEADING = /^ {0,3}(#{1,6})(?:[ \t]+(.*))?$/;
const RULE = /^ {0,3}(?:(?:\* *){3,}|(?:- *){3,}|(?:_ *){3,})$/;
const QUOTE = /^ {0,3}> ?/;
const ITEM = /^( {0,3})([-*+]|[0-9]{1,9}[.)])(?:( +)(.*))?$/;
const UNDERLINE = /^ {0,3}(?:=+|-+)[ \t]*$/;
const DIVIDER = /^[ \t]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/;

export function readBlocks(text: string): readonly Block[] {
  return within(text.replaceAll("\r\n", "\n").replaceAll("\r", "\n").split("\n").map(untabbed), 0);
}

/** Tabs at the beginning of a line count as four spaces. */
function untabbed(line: string): string {
  return /^ *\t/.test(line) ? line.replace(/^[ \t]{1,200}/, (margin) => margin.replaceAll("\t", "    ")) : line;
}

function within(lines: readonly string[], depth: number): Block[] {
  const blocks: Block[] = [];
  let paragraph: string[] = [];
  const flush = () => {
    if (paragraph.length > 0) blocks.push({ kind: "paragraph", text: paragraph.join("\n") });
    paragraph = [];
  };
  let at = 0;
  const take = (block: Block, next: number) => {
    flush();
    blocks.push(block);
    at = next;
  };
  while (at < lines.length) {
    const line = lines[at] ?? "";
    const fence = FENCE.exec(line);
    const heading = HEADING.exec(line);
    const item = ITEM.exec(line);
    if (line.trim() === "") {
      flush();
      at += 1;
    } else if (fence) {
      const end = fenceEnd(lines, at + 1, fence[1] ?? "```");
      take({ kind: "code", language: (fence[2] ?? "").trim(), text: lines.slice(at + 1, end).join("\n") }, end + 1);
    } else if (heading) {
      take({ kind: "heading", level: (heading[1] ?? "#").length, text: (heading[2] ?? "").replace(/[ \t]#+[ \t]*$/, "") }, at + 1);
    } else if (paragraph.length > 0 && UNDERLINE.test(line)) {
      const text = paragraph.join("\n");
      paragraph = [];
      take({ kind: "heading", level: line.includes("=") ? 1 : 2, text }, at + 1);
    } else if (RULE.test(line)) {
      take({ kind: "rule" }, at + 1);
    } else if (QUOTE.test(line) && depth < DEPTH_MAX) {
      let end = at;
      while (end < lines.length && QUOTE.test(lines[end] ?? "")) end += 1;
      take({ kind: "quote", inside: within(lines.slice(at, end).map((one) => one.replace(QUOTE, "")), depth + 1) }, end);
    } else if (item && depth < DEPTH_MAX && (paragraph.length === 0 || (item[3] !== undefined && startsList(item[2] ?? "")))) {
      const { list, end } = readList(lines, at, depth);
      take(list, end);
    } else if (/^ {4}/.test(line) && paragraph.length === 0) {
      let end = at;
      while (end < lines.length && (/^ {4}/.test(lines[end] ?? "") || (lines[end] ?? "").trim() === "")) end += 1;
      take({ kind: "code", language: "", text: lines.slice(at, end).map((one) => one.slice(4)).join("\n").trimEnd() }, end);
    } else if (paragraph.length === 0 && beginsTable(line, lines[at + 1] ?? "")) {
      const { table, end } = readTable(lines, at);
      take(table, end);
    } else {
      paragraph.push(line.trimStart());
      at += 1;
    }
  }
  flush();
  return blocks;
}

/** A number other than 1 in the middle of a paragraph begins no list: it may be a year. */
function startsList(mark: string): boolean {
  return /^[-*+]$/.test(mark) || /^1[.)]$/.test(mark);
}

function fenceEnd(lines: readonly string[], from: number, fence: string): number {
  for (let at = from; at < lines.length; at += 1) {
    const line = (lines[at] ?? "").trim();
    if (line.length >= fence.length && line === (fence[0] ?? "`").repeat(line.length)) return at;
  }
  return lines.length;
}

/** A bullet, or the number with its point as it was written. */
function bullet(mark: string): string {
  return /^[0-9]/.test(mark) ? mark : "•";
}

function readList(lines: readonly string[], from: number, depth: number): { list: Block; end: number } {
  const items: ListItem[] = [];
  const ordered = /^[0-9]/.test(ITEM.exec(lines[from] ?? "")?.[2] ?? "");
  let at = from;
  while (at < lines.length) {
    const found = ITEM.exec(lines[at] ?? "");
    if (!found || RULE.test(lines[at] ?? "") || /^[0-9]/.test(found[2] ?? "") !== ordered) break;
    const mark = found[2] ?? "-";
    const space = Math.min(4, (found[3] ?? " ").length);
    const margin = (found[1] ?? "").length + mark.length + space;
    const own = [`${(found[3] ?? "").slice(space)}${found[4] ?? ""}`];
    at += 1;
    let blank = false;
    for (; at < lines.length; at += 1) {
      const line = lines[at] ?? "";
      const indented = line.startsWith(" ".repeat(margin)) || /^ {2,}\S/.test(line);
      // A line that follows at once and begins nothing new belongs to the paragraph.
      const lazy = !blank && !ITEM.test(line) && !HEADING.test(line) && !FENCE.test(line) && !QUOTE.test(line) && !RULE.test(line);
      if (line.trim() === "") {
        if (!continues(lines, at + 1, margin)) break;
        blank = true;
        own.push("");
      } else if (indented) own.push(line.slice(Math.min(margin, line.length - line.trimStart().length)));
      else if (lazy) own.push(line);
      else break;
    }
    const box = /^\[([ xX])\](?= )/.exec(own[0] ?? "");
    if (box) own[0] = (own[0] ?? "").slice(4);
    items.push({ mark: bullet(mark), done: box ? box[1] !== " " : null, inside: within(own, depth + 1) });
    // A blank line between two items.
    if ((lines[at] ?? "").trim() === "" && ITEM.test(lines[at + 1] ?? "")) at += 1;
  }
  return { list: { kind: "list", items }, end: at };
}

/** Whether the line after a blank one still belongs to an item. */
function continues(lines: readonly string[], at: number, margin: number): boolean {
  const line = lines[at] ?? "";
  return line.trim() !== "" && line.startsWith(" ".repeat(Math.min(margin, 2)));
}

function beginsTable(head: string, divider: string): boolean {
  if (!head.includes("|") || head.length > ROW_MAX || divider.length > ROW_MAX) return false;
  return DIVIDER.test(divider) && cells(head).length === cells(divider).length;
}

function cells(line: string): string[] {
  const inner = line.trim().replace(/^\|/, "").replace(/(?<!\\)\|$/, "");
  return inner.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll("\\|", "|"));
}

function readTable(lines: readonly string[], from: number): { table: Block; end: number } {
  const head = cells(lines[from] ?? "");
  const sides = cells(lines[from + 1] ?? "").map((cell): Side => {
    if (cell.startsWith(":") && cell.endsWith(":")) return "center";
    return cell.endsWith(":") ? "right" : "left";
  });
  const rows: string[][] = [];
  let at = from + 2;
  for (; at < lines.length && (lines[at] ?? "").trim() !== "" && (lines[at] ?? "").includes("|"); at += 1) {
    rows.push(cells(lines[at] ?? ""));
  }
  return { table: { kind: "table", head, sides, rows }, end: at };
}
