/** The sources: which one is searched, how old what is known of it is, and reading it again. */
import { useEffect, useId, useRef, useState, type RefObject, type SubmitEvent } from "react";

import { SELECT } from "../../agents/EndpointPicker";
import { useHouse } from "../../app/house";
import type { RegistrySource } from "../../bridge/bindings";
import { exact } from "../../parts/exact";
import { useStore } from "../../hall/store";
import { Button } from "../../parts/Button";
import { isFocusNowhere } from "../../parts/focus";
import { Trouble } from "../../parts/Trouble";
import { useNow } from "../../parts/useNow";
import { sourceWords } from "./faces";
import { ADD, REMOVE } from "./registryBook";

/** How often `4 min ago` is looked over. */
const AGO_MS = 10_000;
/** The engine's own limit, in bytes. */
const SOURCE_MAX = 4_096;

/** Gives the focus back to what opened something that took it along when it went. */
function useFocusBack(open: boolean, to: RefObject<HTMLElement | null>): void {
  const was = useRef(open);
  useEffect(() => {
    if (was.current && !open && isFocusNowhere()) to.current?.focus();
    was.current = open;
  }, [open, to]);
}

export function SourceBar({ sources, source }: { sources: readonly RegistrySource[]; source: RegistrySource }) {
  const { hall, registry, spoken } = useHouse();
  const reading = useStore(registry.reading, (now) => now);
  const unread = useStore(registry.unread, (now) => now);
  const now = useNow(AGO_MS);
  const id = useId();
  const picker = useRef<HTMLSelectElement>(null);
  const adding = useStore(registry.naming, (now) => now !== null);
  /** The source that it is asked of whether to forget it. */
  const [askedOf, setAskedOf] = useState<string | null>(null);
  const asking = askedOf === source.source;
  const removal = REMOVE + source.source;
  const removing = useStore(registry.trying, (all) => all.has(removal)) ? "It is being done" : undefined;
  const unremoved = useStore(registry.refused, (all) => all.get(removal));
  const adder = useRef<HTMLButtonElement>(null);
  useFocusBack(adding, adder);
  const remover = useRef<HTMLButtonElement>(null);
  useFocusBack(asking, remover);
  // Reading and ending it have one place, and each goes with its own press.
  const reader = useRef<HTMLButtonElement>(null);
  const isUsed = useRef(false);
  const isReading = reading !== null;
  useEffect(() => {
    if (isUsed.current && isFocusNowhere()) (reader.current ?? picker.current)?.focus();
  }, [isReading]);
  const read = (anew: boolean) => {
    isUsed.current = true;
    void registry.read(anew);
  };
  const cancel = () => {
    isUsed.current = true;
    registry.cancel();
  };
  const busy = isReading ? "A source is being read" : undefined;
  const ask = () => {
    registry.refuse(removal, null);
    setAskedOf(asking ? null : source.source);
  };
  const remove = async () => {
    const done = await registry.attempt(removal, async () => {
      const refused = await registry.remove(source.source);
      if (refused !== null && registry.chosen.get() !== source.source) hall.tell(refused);
      else registry.refuse(removal, refused);
      return refused;
    });
    setAskedOf((asked) => (asked === source.source ? null : asked));
    if (!done) return;
    spoken.set(`${source.source} is no source any more.`);
    // What asked has gone, and gave the focus to what had opened it.
    if (isFocusNowhere() || document.activeElement === remover.current) picker.current?.focus();
  };
  return (
    <section aria-label="Sources" className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center gap-2">
        <label htmlFor={id}>Source</label>
        <select
          id={id}
          ref={picker}
          value={source.source}
          onChange={(event) => {
            setAskedOf(null);
            registry.choose(event.target.value);
          }}
          className={`${SELECT} max-w-full min-w-0 flex-[0_1_420px]`}
        >
          {sources.map((known) => (
            <option key={known.source} value={known.source}>{exact(known.source)}</option>
          ))}
        </select>
        <span role="status" className="min-w-0 text-dim" data-testid="registry-age">
          {reading === null ? sourceWords(source, now) : `Reading ${exact(reading.source)}… ${reading.says}`}
        </span>
        <span className="ms-auto flex flex-wrap gap-2">
          {reading === null ? (
            !source.isFile && (
              <>
                <Button ref={reader} look={source.asOfMs === null ? "accent" : "plain"} onClick={() => read(false)}>
                  {source.asOfMs === null ? "Read it" : "Read what changed"}
                </Button>
                {source.asOfMs !== null && <Button onClick={() => read(true)}>Read all anew</Button>}
              </>
            )
          ) : (
            <Button ref={reader} onClick={cancel}>Cancel</Button>
          )}
          <Button ref={adder} aria-expanded={adding} onClick={() => registry.name(adding ? null : "")}>Add a source…</Button>
          <Button ref={remover} unavailable={busy ?? removing} aria-expanded={asking} onClick={ask}>Remove…</Button>
        </span>
      </div>
      {asking && (
        <div role="group" aria-label="Remove the source" className="flex flex-wrap items-center gap-2 rounded-sm border border-line px-2 py-1">
          <p className="min-w-0 flex-1 basis-60 wrap-anywhere">
            Forget {exact(source.source)} and what was read of it? Members that were installed from it stay.
          </p>
          <Button onClick={() => void remove()} unavailable={removing}>Remove it</Button>
          <Button look="quiet" onClick={() => setAskedOf(null)}>Keep it</Button>
        </div>
      )}
      {adding && <AddSource />}
      {unremoved && <Trouble report={unremoved} />}
      {unread && <Trouble report={unread} testid="registry-unread" />}
    </section>
  );
}

/** Names another source. */
export function AddSource() {
  const { hall, registry, pickPath, spoken } = useHouse();
  const id = useId();
  const text = useStore(registry.naming, (now) => now ?? "");
  const refused = useStore(registry.refused, (now) => now.get(ADD));
  const busy = useStore(registry.trying, (now) => now.has(ADD)) ? "It is being done" : undefined;
  const add = async (source: string) => {
    const done = await registry.attempt(ADD, async () => {
      const typed = registry.naming.get();
      const why = await registry.add(source);
      if (why === null) return null;
      const now = registry.naming.get();
      // The form that would say it was put away meanwhile, or what stands in it by now was not refused.
      if (now === typed && (now !== null || registry.sources.get()?.length === 0)) registry.refuse(ADD, why);
      else hall.tell(why);
      return why;
    });
    if (done) spoken.set(`${source} is a source now.`);
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (text.trim() !== "") void add(text.trim());
  };
  const pick = () =>
    void pickPath?.({ kind: "file" }).then((picked) => {
      if (picked !== null) void add(picked);
    });
  return (
    <form onSubmit={submit} aria-label="Add a source" className="flex flex-col gap-1">
      <div className="flex flex-wrap items-end gap-2">
        <label htmlFor={id} className="flex max-w-xl min-w-0 flex-[1_1_280px] flex-col gap-1">
          <span>An address, or the whole path of a file</span>
          <input
            id={id}
            value={text}
            maxLength={SOURCE_MAX}
            autoComplete="off"
            spellCheck={false}
            placeholder="https://…"
            onChange={(event) => registry.naming.set(event.target.value)}
            className="h-6 rounded-sm border border-line-strong bg-bg px-2 placeholder:text-faint"
          />
        </label>
        <Button type="submit" look="accent" unavailable={busy ?? (text.trim() === "" ? "Name a source first" : undefined)}>Add</Button>
        {pickPath && <Button unavailable={busy} onClick={pick}>Choose a file…</Button>}
      </div>
      <p className="text-sm text-dim">
        An address is read now, and after that only when you say so. It begins with <code className="font-mono">https://</code>.
      </p>
      {refused && <Trouble report={refused} testid="registry-source-refused" />}
    </form>
  );
}
