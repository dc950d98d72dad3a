/** The form of a skill: its address and its files. `SKILL.md` is read when the page opens, other files on request. */
import { useEffect } from "react";

import { Button } from "../../../components/Button";
import { CopyButton } from "../../../components/CopyButton";
import { counted } from "../../../lib/format";
import { sizeWord } from "../../results/content";
import { AddressBox } from "./AddressBox";
import type { Listed } from "./offer";
import { ReadBar } from "./ReadBar";
import { type OfferFormProps, unavailableWhy } from "./TemplateForm";

export function SkillForm({ view, sheet, onAsk, uri, listed }: OfferFormProps & { uri: string; listed: Listed | undefined }) {
  const read = () => onAsk({ kind: "resource", uri });
  const skill = listed?.kind === "skill" ? listed.view : null;
  // A stopped member starts only when the user asks for it.
  const opens = view.status === "ready" && sheet.count === 0;
  useEffect(() => {
    if (opens) onAsk({ kind: "resource", uri });
  }, [onAsk, opens, uri]);
  const unavailable = unavailableWhy(view);
  const root = uri.slice(0, uri.lastIndexOf("/") + 1);
  const total = skill?.files?.reduce((sum, { size }) => sum + size, 0) ?? 0;
  return (
    <ReadBar verb="Read SKILL.md" unavailable={unavailable} onRun={read} onAnyway={read}>
      <div className="flex items-start gap-2">
        <AddressBox uri={uri} label="Address" testId="uri" />
        <CopyButton icon text={() => uri} what="address" />
      </div>
      {skill?.files === null && <p className="mt-3 text-dim">The server generates this skill. Its files are not listed and have no digests.</p>}
      {skill?.files && (
        <>
          <h2 className="mt-3 text-dim">{`${counted(skill.files.length, { one: "file", other: "files" })}, ${sizeWord(total)}`}</h2>
          <ul aria-label="Files" className="mt-1 flex flex-col gap-1">
            {skill.files.map((file) => {
              const path = file.uri.startsWith(root) ? file.uri.slice(root.length) : file.uri;
              return (
                <li key={file.uri} className="flex items-center gap-2">
                  <bdi className="min-w-0 flex-1 font-mono text-sm [overflow-wrap:anywhere] select-text">{path}</bdi>
                  <span className="shrink-0 text-sm text-faint tabular-nums">{sizeWord(file.size)}</span>
                  <Button look="quiet" aria-label={`Read ${path}`} unavailable={unavailable} onClick={() => onAsk({ kind: "resource", uri: file.uri })}>
                    Read
                  </Button>
                </li>
              );
            })}
          </ul>
        </>
      )}
    </ReadBar>
  );
}
