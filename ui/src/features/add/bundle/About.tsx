/** The preview of a bundle: its description, its files, its command, and warnings about suspicious content. */
import { useId } from "react";

import type { McpbDeclared, McpbLook, McpbSuspicion } from "../../../ipc/bindings";
import { Launch } from "../found/Launch";
import { Sign } from "../../../components/Icon";
import { exact } from "../../../lib/exact";
import { CopyButton } from "../../../components/CopyButton";
import { OpenLink } from "../../../components/OpenButton";
import { counted } from "../../../lib/format";
import { words as suspicionWords } from "../../../lib/words/suspicions";
import { sizeWords } from "./faces";

const runsOn = (system: string, runtimes: readonly string[]) => `Runs on ${system}${runtimes.length > 0 ? ` (${runtimes.join(", ")})` : ""}.`;

export function About({ look }: { look: McpbLook }) {
  const id = useId();
  const { about } = look;
  const links = [...about.links, ...about.privacyPolicies];
  return (
    <>
      {look.unfit !== null && (
        <p data-testid="bundle-unfit" className="rounded-md border border-warn bg-warn-fill px-3 py-2 wrap-anywhere">
          <Sign of="warning" className="text-warn me-1" />{exact(look.unfit)}
        </p>
      )}
      <Suspicions found={look.suspicions} />
      <div className="flex flex-col gap-1">
        <p className="break-words select-text">{exact(about.description)}</p>
        {about.longDescription !== "" && (
          <details>
            <summary>More</summary>
            <p className="break-words whitespace-pre-wrap select-text">{exact(about.longDescription)}</p>
          </details>
        )}
        <p data-testid="bundle-size" className="text-dim wrap-anywhere">
          {[about.author !== "" && `by ${exact(about.author)}`, exact(about.license), sizeWords(look)].filter(Boolean).join(" · ")}
        </p>
        <p data-testid="bundle-runtime" className="text-dim wrap-anywhere">
          {runsOn(exact(about.runsOn), about.runtimes.map(exact))} {look.signed && "Signed (not verified)."}
        </p>
        {links.map((link) => (
          <p key={link} className="flex flex-wrap items-center gap-2">
            <code className="min-w-0 font-mono text-sm wrap-anywhere select-text">{exact(link)}</code>
            <OpenLink address={link} />
            <CopyButton what="the address" text={() => link} />
          </p>
        ))}
      </div>
      <section aria-label="Runs" className="flex flex-col gap-1">
        <h3 className="font-semibold">Runs</h3>
        <Launch id={id} server={{ launch: look.launch, commandLine: look.commandLine, container: look.container, inputs: [] }} />
        {look.notes.map((note) => (
          <p key={note} className="text-sm wrap-anywhere"><Sign of="warning" className="text-warn me-1" />{exact(note)}</p>
        ))}
      </section>
      <DeclaredList says={(count: number, more: boolean) => `Lists ${counted(count, { one: "tool", other: "tools" })}${more ? ", and may have more" : ""}`} list={about.tools} more={about.moreTools} />
      <DeclaredList says={(count: number, more: boolean) => `Lists ${counted(count, { one: "prompt", other: "prompts" })}${more ? ", and may have more" : ""}`} list={about.prompts} more={about.morePrompts} />
    </>
  );
}

function Suspicions({ found }: { found: readonly McpbSuspicion[] }) {
  if (found.length === 0) return null;
  return (
    <ul aria-label="Suspicious" data-testid="bundle-suspicions" className="rounded-md border border-bad bg-bad-fill px-3 py-2">
      {found.map(({ tool, suspicion: { place, kind, what, quote } }, index) => (
        <li key={index} className="wrap-anywhere">
          <span className="text-bad"><Sign of="warning" className="me-1" />{suspicionWords[kind]}</span>
          {tool !== null && <> in the tool {exact(tool)}</>} <code className="font-mono text-sm">{exact(place)}</code>: {exact(what)}{" "}
          <q className="text-dim">{exact(quote)}</q>
        </li>
      ))}
    </ul>
  );
}

interface DeclaredProps {
  readonly says: (count: number, more: boolean) => string;
  readonly list: readonly McpbDeclared[];
  /** Whether the running server may list more items than the bundle declares. */
  readonly more: boolean;
}

function DeclaredList({ says, list, more }: DeclaredProps) {
  if (list.length === 0 && !more) return null;
  return (
    <details>
      <summary data-testid="bundle-tools">{says(list.length, more)}</summary>
      <ul className="flex flex-col gap-0.5 ps-4">
        {list.map(({ name, description }, index) => (
          <li key={index} className="wrap-anywhere">
            <code className="font-mono text-sm">{exact(name)}</code> <span className="text-dim">{exact(description)}</span>
          </li>
        ))}
      </ul>
    </details>
  );
}
