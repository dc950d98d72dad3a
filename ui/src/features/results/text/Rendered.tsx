/** The Markdown renderer. Loaded as a separate chunk: only `Markdown` imports this file. */
import { createContext, type JSX, memo, type ReactNode, use } from "react";
import ReactMarkdown, { type Components } from "react-markdown";
import remarkGfm from "remark-gfm";

import { Sign } from "../../../components/Icon";
import { OpenLink } from "../../../components/OpenButton";
import type { Follow } from "./Markdown";

const nowhere: Follow = () => null;

const Following = createContext<Follow>(nowhere);

/** Headings in the text start two levels lower, because the page has its own headings. */
function heading(level: number, look: string) {
  return function Heading({ children }: { children?: ReactNode }) {
    return <p role="heading" aria-level={Math.min(6, level + 2)} className={`font-semibold ${look}`}>{children}</p>;
  };
}

/**
 * A link in the guide to another section is a button that opens the section. Any other link is shown as its label,
 * its address, and a button that opens the address.
 */
function Linked({ href = "", title, children }: JSX.IntrinsicElements["a"]) {
  const go = use(Following)(href);
  if (go !== null) return <button type="button" role="link" className="inline text-start text-accent underline" onClick={go}>{children}</button>;
  return (
    <span>
      <span className="underline decoration-dotted">{children}</span>
      {children !== href && <> <code className="font-mono text-sm text-dim">⟨{href}⟩</code></>}
      <OpenLink address={href} />
      {title !== undefined && <span className="text-dim"> “{title}”</span>}
    </span>
  );
}

function Blocked({ src = "", alt, title }: JSX.IntrinsicElements["img"]) {
  return (
    <span>
      <span className="text-dim">Remote image blocked: </span>
      {alt} <code className="font-mono text-sm text-dim">⟨{src}⟩</code>
      {title !== undefined && <span className="text-dim"> “{title}”</span>}
    </span>
  );
}

const COMPONENTS: Components = {
  h1: heading(1, "text-lg"),
  h2: heading(2, "text-lg"),
  h3: heading(3, "text-base"),
  h4: heading(4, "text-base"),
  h5: heading(5, "text-sm"),
  h6: heading(6, "text-sm"),
  a: Linked,
  img: Blocked,
  input: ({ checked }) => <span role="img" aria-label={checked === true ? "done" : "not done"}><Sign of={checked === true ? "check" : "ring"} /> </span>,
  // Scrollable regions need a `tabIndex`, so that the keyboard can scroll them.
  // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
  pre: ({ children }) => <pre tabIndex={0} aria-label="code" className="max-h-[60vh] overflow-auto rounded-sm border border-line bg-sidebar px-2 py-1 text-sm">{children}</pre>,
  table: ({ children }) => (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div role="region" aria-label="table" tabIndex={0} className="overflow-x-auto">
      <table className="border-collapse text-sm">{children}</table>
    </div>
  ),
};

const LOOK = [
  "flex max-w-prose flex-col gap-2 [overflow-wrap:anywhere] select-text",
  "[&_ul]:list-disc [&_ol]:list-decimal [&_ul,&_ol]:flex [&_ul,&_ol]:flex-col [&_ul,&_ol]:gap-1 [&_ul,&_ol]:ps-5",
  "[&_blockquote]:flex [&_blockquote]:flex-col [&_blockquote]:gap-2 [&_blockquote]:border-s-2 [&_blockquote]:border-control [&_blockquote]:ps-3 [&_blockquote]:text-dim",
  "[&_hr]:border-line [&_strong]:font-semibold [&_code]:font-mono [&_:not(pre)>code]:rounded-sm [&_:not(pre)>code]:bg-sidebar [&_:not(pre)>code]:px-1 [&_:not(pre)>code]:text-sm",
  "[&_th,&_td]:border [&_th,&_td]:border-line [&_th,&_td]:px-2 [&_th,&_td]:py-0.5 [&_th]:bg-sidebar [&_th]:font-semibold [&_td]:align-top",
].join(" ");

const PLUGINS = [remarkGfm];
/** Keeps addresses unchanged. This is safe, because the page never opens an address by itself. */
const asWritten = (address: string) => address;

/** Converts the YAML front matter of a skill to a code block. In Markdown, it would be a rule and a heading. */
function withFrontMatterAsCode(text: string): string {
  const [all, yaml] = /^---\r?\n([^]*?)\r?\n---[ \t]*(?:\r?\n|$)/.exec(text) ?? [];
  const isSkill = yaml !== undefined && /^name:/m.test(yaml) && /^description:/m.test(yaml);
  return all === undefined || !isSkill || yaml.includes("```") ? text : `\`\`\`yaml\n${yaml}\n\`\`\`\n${text.slice(all.length)}`;
}

export default memo(function Rendered({ text, follow = nowhere }: { text: string; follow?: Follow }) {
  return (
    <Following value={follow}>
      {/* Line breaks in text from servers are kept. Line breaks in the guide only wrap its source text. */}
      <div dir="auto" data-testid="markdown" className={`${LOOK} ${follow === nowhere ? "[&_p]:whitespace-pre-line" : ""}`}>
        <ReactMarkdown remarkPlugins={PLUGINS} components={COMPONENTS} urlTransform={asWritten}>{withFrontMatterAsCode(text)}</ReactMarkdown>
      </div>
    </Following>
  );
});
