/**
 * Markdown as elements of the page. No HTML, nothing fetched: a link is its words, its address and a button
 * that opens that address, a picture its description and its address. Only the guide and the error list can
 * mark an address as a place in this window.
 */

import { createContext, Fragment, type ReactNode, use, useMemo, useState } from "react";

import { Button } from "../../parts/Button";
import { OpenLink } from "../../parts/OpenButton";
import { number } from "../../words/format";
import { type Inline, readInline } from "./inline";
import { type Block, readBlocks } from "./markdown";

const moreBlocks = (next: number, left: number) => `Show ${number(next)} more of ${number(left)} blocks`;

/** A longer text is only shown as it is. */
export const MARKDOWN_MAX = 2_000_000;
/** So many blocks are drawn at a time. */
const STEP = 200;
/** A paragraph longer than this is no prose: it is shown without looking for emphasis in it. */
const PROSE_MAX = 20_000;
/** So many items and rows of one list or table are drawn at a time. */
const ROWS_STEP = 300;

const HEADINGS = ["text-xl", "text-lg", "text-base", "text-base", "text-sm", "text-sm"] as const;

/** What goes to the place in this window that an address means; `null` where it means none. */
type Follow = (address: string) => (() => void) | null;

const nowhere: Follow = () => null;

const Following = createContext<Follow>(nowhere);

export function Markdown({ text, follow = nowhere }: { text: string; follow?: Follow }) {
  const blocks = useMemo(() => readBlocks(text), [text]);
  return (
    <Following value={follow}>
      <div className="flex max-w-prose flex-col gap-2 py-1 [overflow-wrap:anywhere] select-text">
        <Portion items={blocks} step={STEP} more={moreBlocks} draw={(block, index) => <BlockView key={index} block={block} />} />
      </div>
    </Following>
  );
}

interface PortionProps<T> {
  readonly items: readonly T[];
  readonly step: number;
  readonly more: (next: number, left: number) => string;
  readonly draw: (item: T, index: number) => ReactNode;
}

/** The first of many, and more on demand. */
function Portion<T>({ items, step, more, draw }: PortionProps<T>) {
  const [room, setRoom] = useState(step);
  const left = items.length - room;
  return (
    <>
      {items.slice(0, room).map(draw)}
      {left > 0 && (
        <Button className="self-start" onClick={() => setRoom(room + step)}>
          {more(Math.min(step, left), left)}
        </Button>
      )}
    </>
  );
}

function BlockView({ block }: { block: Block }) {
  switch (block.kind) {
    case "heading": {
      // The page has its own headings: those of a text stand below them.
      return (
        <p role="heading" aria-level={Math.min(6, block.level + 2)} className={`font-semibold ${HEADINGS[block.level - 1] ?? ""}`}>
          <Prose text={block.text} />
        </p>
      );
    }
    case "paragraph":
      return <p className="whitespace-pre-line"><Prose text={block.text} /></p>;
    case "rule":
      return <hr className="border-line" />;
    case "quote":
      return (
        <blockquote className="flex flex-col gap-2 border-s-2 border-line-strong ps-3 text-dim">
          <Portion items={block.inside} step={STEP} more={moreBlocks} draw={(inner, index) => <BlockView key={index} block={inner} />} />
        </blockquote>
      );
    case "code":
      return <Code language={block.language} text={block.text} />;
    case "list":
      return (
        <div role="list" className="flex flex-col gap-1">
          <Portion
            items={block.items}
            step={ROWS_STEP}
            more={(next: number, left: number) => `Show ${number(next)} more of ${number(left)} items`}
            draw={(item, index) => (
              <div role="listitem" key={index} className="flex gap-2">
                <span className="min-w-4 shrink-0 text-end text-dim">{item.mark}</span>
                {item.done !== null && <span aria-label={item.done ? "done" : "not done"} role="img">{item.done ? "☑" : "☐"}</span>}
                <div className="flex min-w-0 flex-1 flex-col gap-1">
                  <Portion items={item.inside} step={STEP} more={moreBlocks} draw={(inner, at) => <BlockView key={at} block={inner} />} />
                </div>
              </div>
            )}
          />
        </div>
      );
    case "table":
      return <Table block={block} />;
  }
}

function Code({ language, text }: { language: string; text: string }) {
  return (
    <figure className="rounded-sm border border-line bg-surface">
      {language !== "" && <figcaption className="border-b border-line px-2 text-sm text-faint">{language}</figcaption>}
      {/* A region that scrolls has to be reached by the keyboard. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <pre tabIndex={0} aria-label={language === "" ? "code" : `code, ${language}`} className="max-h-[60vh] overflow-auto px-2 py-1 font-mono text-sm">{text}</pre>
    </figure>
  );
}

function Table({ block }: { block: Extract<Block, { kind: "table" }> }) {
  const [room, setRoom] = useState(ROWS_STEP);
  const left = block.rows.length - room;
  const sideOf = (index: number) => ({ left: "text-left", right: "text-right", center: "text-center" })[block.sides[index] ?? "left"];
  return (
    // A region that scrolls has to be reached by the keyboard.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div role="region" aria-label="table" tabIndex={0} className="overflow-x-auto">
      <table className="border-collapse text-sm">
        <thead>
          <tr>
            {block.head.map((cell, index) => (
              <th key={index} scope="col" className={`border border-line bg-surface px-2 py-0.5 font-semibold ${sideOf(index)}`}>
                <Prose text={cell} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {block.rows.slice(0, room).map((row, at) => (
            <tr key={at}>
              {row.map((cell, index) => (
                <td key={index} className={`border border-line px-2 py-0.5 align-top ${sideOf(index)}`}>
                  <Prose text={cell} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {left > 0 && (
        <Button onClick={() => setRoom(room + ROWS_STEP)}>Show {number(Math.min(ROWS_STEP, left))} more of {number(left)} rows</Button>
      )}
    </div>
  );
}

function Prose({ text }: { text: string }) {
  const inlines = useMemo(() => (text.length > PROSE_MAX ? null : readInline(text)), [text]);
  return inlines === null ? text : <Inlines inlines={inlines} />;
}

function Inlines({ inlines }: { inlines: readonly Inline[] }) {
  return inlines.map((inline, index) => <Fragment key={index}>{one(inline)}</Fragment>);
}

function one(inline: Inline): ReactNode {
  switch (inline.kind) {
    case "text":
      return inline.text;
    case "break":
      return <br />;
    case "code":
      return <code className="rounded-sm bg-surface px-1 font-mono text-sm whitespace-pre-wrap">{inline.text}</code>;
    case "strong":
      return <strong className="font-semibold"><Inlines inlines={inline.inside} /></strong>;
    case "emphasis":
      return <em><Inlines inlines={inline.inside} /></em>;
    case "struck":
      return <s><Inlines inlines={inline.inside} /></s>;
    case "image":
    case "link":
      return <Linked inline={inline} />;
  }
}

function Linked({ inline }: { inline: Extract<Inline, { kind: "link" | "image" }> }) {
  const go = use(Following)(inline.address);
  if (inline.kind === "link" && go !== null) {
    return (
      <button type="button" role="link" className="inline text-start text-accent underline" onClick={go}>
        <Inlines inlines={inline.inside} />
      </button>
    );
  }
  return (
    <span>
      {inline.kind === "image" && <span className="text-dim">picture, not fetched: </span>}
      {inline.inside.length > 0 && <span className="underline decoration-dotted"><Inlines inlines={inline.inside} /></span>}
      {inline.inside.length > 0 && " "}
      <code className="font-mono text-sm text-dim">⟨{inline.address}⟩</code>
      {inline.kind === "link" && <OpenLink address={inline.address} />}
      {inline.title !== "" && <span className="text-dim"> “{inline.title}”</span>}
    </span>
  );
}
