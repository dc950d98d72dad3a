/** A bundle: chosen or dropped, what is in it and what it would run, and a member made of it. */
import { useEffect, useId, useRef, useState, type SubmitEvent } from "react";

import { useHouse } from "../../app/house";
import { exact } from "../../parts/exact";
import { useStore } from "../../hall/store";
import { Button } from "../../parts/Button";
import { Reading } from "../../parts/Reading";
import { Trouble } from "../../parts/Trouble";
import { About } from "./About";
import { InstallForm } from "./InstallForm";
import type { Looked } from "./bundleBook";

export default function BundleTab() {
  const { adding, bundles, spoken } = useHouse();
  const wanted = useStore(adding.bundle, (path) => path);
  const looked = useStore(bundles.looked, (now) => now);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (wanted === null) return;
    adding.bundle.set(null);
    void bundles.look(wanted);
  }, [adding, bundles, wanted]);
  const said = looked && sumUp(looked);
  const isThere = looked?.look != null;
  useEffect(() => {
    if (said !== null) spoken.set(said);
  }, [spoken, said]);
  // Move the focus into a newly opened bundle; when the user returns to one, keep it on the tabs.
  const wasThere = useRef(isThere);
  useEffect(() => {
    if (isThere && !wasThere.current) heading.current?.focus();
    wasThere.current = isThere;
  }, [isThere]);
  return (
    <div className="flex flex-col gap-3 p-4" data-testid="bundle">
      <p className="max-w-4xl text-dim">
        An MCPB bundle (.mcpb, once .dxt) has a server and all that it needs in one file. Choose one, or drop it on the window: you see what is in it and what it would run. Nothing is written before you install it, and nothing of it runs before you have accepted that.
      </p>
      <Choose />
      {looked && (
        <section aria-labelledby="bundle-title" className="flex max-w-4xl flex-col gap-3">
          <h2 id="bundle-title" ref={heading} tabIndex={-1} className="font-semibold wrap-anywhere outline-none" data-testid="bundle-says">
            {said}
          </h2>
          {looked.trouble && <Trouble report={looked.trouble} />}
          {!looked.look && !looked.trouble && <Reading what="the bundle" className="" />}
          {looked.look && <About look={looked.look} />}
          {looked.look && <InstallForm key={looked.look.digest} look={looked.look} />}
        </section>
      )}
    </div>
  );
}

function sumUp({ path, look, trouble }: Looked): string {
  if (trouble) return `${exact(path)} can't be used.`;
  return look ? `${exact(look.about.title)} ${exact(look.about.version)}` : `Reading ${exact(path)}…`;
}

function Choose() {
  const { bundles, pickPath } = useHouse();
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
    <form onSubmit={submit} aria-label="Choose a bundle" className="flex max-w-4xl flex-col gap-1">
      <label htmlFor={id}>Bundle path</label>
      <div className="flex flex-wrap gap-2">
        <input
          id={id}
          autoComplete="off"
          spellCheck={false}
          maxLength={4096}
          placeholder="/home/me/Downloads/server.mcpb"
          value={path}
          onChange={(event) => setPath(event.target.value)}
          className="h-6 min-w-32 flex-[1_1_300px] rounded-sm border border-line-strong bg-bg px-2 placeholder:text-faint"
        />
        <Button type="submit" look={pickPath ? "plain" : "accent"} unavailable={unavailable} onClick={() => undefined}>Preview</Button>
        {pickPath && <Button look="accent" unavailable={unavailable} onClick={pick}>Choose a bundle…</Button>}
      </div>
    </form>
  );
}
