/** The tab for a bundle: a drop zone, the preview of the chosen bundle, and the install form. */
import { useEffect, useId, useRef, useState, type SubmitEvent } from "react";

import { useDesktop } from "../../../lib/desktop";
import { exact } from "../../../lib/exact";
import { useSpoken } from "../../../lib/spoken";
import { useStore } from "../../../lib/store";
import { Button } from "../../../components/Button";
import { EmptyState } from "../../../components/EmptyState";
import { Reading } from "../../../components/Reading";
import { ErrorReport } from "../../../components/ErrorReport";
import { useAddingStore } from "../addingStore";
import { Foot } from "../frame";
import { About } from "./About";
import { InstallForm } from "./InstallForm";
import { type BundlePreview, useBundleStore } from "./bundleStore";

export default function BundleTab() {
  const adding = useAddingStore();
  const bundles = useBundleStore();
  const spoken = useSpoken();
  const wanted = useStore(adding.bundle, (path) => path);
  const looked = useStore(bundles.looked, (now) => now);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (wanted === null) return;
    adding.bundle.set(null);
    void bundles.look(wanted);
  }, [adding, bundles, wanted]);
  const summary = looked && sumUp(looked);
  const isThere = looked?.look != null;
  useEffect(() => {
    if (summary !== null) spoken.set(summary);
  }, [spoken, summary]);
  // Focuses the heading of a newly opened bundle, but not when the user returns to a bundle that is already open.
  const wasThere = useRef(isThere);
  useEffect(() => {
    if (isThere && !wasThere.current) heading.current?.focus();
    wasThere.current = isThere;
  }, [isThere]);
  return (
    <div className="flex flex-1 flex-col gap-3" data-testid="bundle">
      <Choose isSmall={looked !== null} />
      {!isThere && <Foot />}
      {looked && (
        <section aria-labelledby="bundle-title" className="flex flex-col gap-3">
          <h2 id="bundle-title" ref={heading} tabIndex={-1} className="text-lg font-semibold wrap-anywhere" data-testid="bundle-says">
            {summary}
          </h2>
          {looked.trouble && <ErrorReport report={looked.trouble} />}
          {!looked.look && !looked.trouble && <Reading what="the bundle" className="" />}
          {looked.look && <About look={looked.look} />}
          {looked.look && <InstallForm key={looked.look.digest} look={looked.look} />}
        </section>
      )}
    </div>
  );
}

function sumUp({ path, look, trouble }: BundlePreview): string {
  if (trouble) return `${exact(path)} can't be used.`;
  return look ? `${exact(look.about.title)} ${exact(look.about.version)}` : `Reading ${exact(path)}…`;
}

/** A drop zone until a bundle is chosen, then only a field for the path. */
function Choose({ isSmall }: { readonly isSmall: boolean }) {
  const bundles = useBundleStore();
  const { pickPath } = useDesktop();
  const id = useId();
  const [path, setPath] = useState("");
  const busy = useStore(bundles.installing, (now) => now !== null);
  const unavailable = busy ? "Installing…" : undefined;
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const wanted = path.trim();
    if (wanted === "" || busy) document.getElementById(id)?.focus();
    else void bundles.look(wanted);
  };
  const pick = () =>
    void pickPath?.({ kind: "file" }).then((picked) => {
      if (picked === null) return;
      setPath(picked);
      void bundles.look(picked);
    });
  return (
    <form onSubmit={submit} aria-label="Choose a bundle" className={`flex flex-col gap-3 ${isSmall ? "" : "flex-1"}`}>
      {!isSmall && (
        <div className="flex min-h-40 flex-1 flex-col items-center justify-center rounded-md border border-dashed border-control p-4 short:min-h-0">
          <EmptyState
            icon="package"
            title="Drop an .mcpb bundle here"
            actions={pickPath && <Button look="accent" unavailable={unavailable} onClick={pick}>Choose file…</Button>}
          >
            A bundle has a server and its files in one file. You see its contents and its command before you install it.
          </EmptyState>
        </div>
      )}
      <label htmlFor={id} className="sr-only">Bundle path</label>
      <div className="flex flex-wrap gap-2">
        <input
          id={id}
          autoComplete="off"
          spellCheck={false}
          maxLength={4096}
          placeholder="/home/me/Downloads/server.mcpb"
          value={path}
          onChange={(event) => setPath(event.target.value)}
          className="h-8 min-w-32 flex-[1_1_200px] rounded-sm border border-control bg-bg px-2 placeholder:text-faint"
        />
        <Button type="submit" className="h-8" unavailable={unavailable} onClick={() => undefined}>Preview</Button>
        {pickPath && isSmall && <Button className="h-8" unavailable={unavailable} onClick={pick}>Choose file…</Button>}
      </div>
    </form>
  );
}
