/**
 * The Add member dialog: a list of tabs, the panel of the selected tab, and a footer with the buttons of that
 * panel.
 */
import { Dialog, Tabs } from "radix-ui";
import { Suspense, useRef, useState } from "react";

import { PageBoundary } from "../../components/PageBoundary";
import { useLayers } from "../../lib/layers";
import { useNavigation } from "../../lib/navigation/navigation";
import { useStore } from "../../lib/store";
import { AskFirst } from "../../components/AskFirst";
import { intoSight } from "../../lib/focus";
import { Icon } from "../../components/Icon";
import { IconButton } from "../../components/IconButton";
import { SIGNS } from "../../components/signs";
import { number } from "../../lib/format";
import { useAddingStore } from "./addingStore";
import { useBundleStore } from "./bundle/bundleStore";
import { discard, hasInput } from "./discard";
import { useFoundStore } from "./found/foundStore";
import { FrameContext } from "./frame";
import { useRegistryStore } from "./registry/registryStore";
import { ADDING_WAYS } from "./tabs";

/** The dialog fills a small window. In a larger one its size is fixed, so that its buttons never move. */
const SIZE =
  "inset-0 m-auto h-[min(560px,100dvh-64px)] w-[720px] rounded-lg max-[901px]:h-full! max-[901px]:w-full max-[901px]:rounded-none [@media(max-height:600px)]:h-full! [@media(max-height:600px)]:w-full [@media(max-height:600px)]:rounded-none";

export default function AddDialog() {
  const navigation = useNavigation();
  const found = useFoundStore();
  const layers = useLayers();
  const adding = useAddingStore();
  const bundles = useBundleStore();
  const registry = useRegistryStore();
  const tab = useStore(navigation.addingTab, (now) => now);
  const fresh = useStore(found.count, (count) => count);
  const [asking, setAsking] = useState(false);
  const [foot, setFoot] = useState<HTMLElement | null>(null);
  const isOpening = useRef(true);
  const content = useRef<HTMLDivElement>(null);
  const leave = () => {
    discard({ adding, bundles, found, registry });
    layers.close("adding");
    navigation.addingTab.set("paste");
  };
  const close = () => (hasInput({ adding, bundles, found, registry }) ? setAsking(true) : leave());
  const takeFocus = (field: HTMLElement | null) => {
    if (isOpening.current) field?.focus();
    isOpening.current = false;
  };
  const frame = { foot, close, takeFocus };
  return (
    <Dialog.Root open onOpenChange={(open) => !open && close()}>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-40 bg-black/45" />
        <Dialog.Content
          ref={content}
          id="adding"
          aria-describedby={undefined}
          onFocus={intoSight}
          onOpenAutoFocus={(event) => {
            event.preventDefault();
            content.current?.querySelector<HTMLElement>('[role="tab"][aria-selected="true"]')?.focus();
          }}
          onCloseAutoFocus={(event) => event.preventDefault()}
          className={`fixed z-40 flex animate-appear flex-col overflow-hidden bg-raised shadow-(--shadow) outline-none short:scroll-pb-14 short:overflow-y-auto ${SIZE}`}
        >
          <header className="flex min-h-13 shrink-0 items-center gap-2 border-b border-line ps-5 pe-3">
            <Dialog.Title className="min-w-0 flex-1 text-lg font-semibold"><span id="adding-title">Add member</span></Dialog.Title>
            <IconButton icon="close" label="Close" onClick={close} />
          </header>
          <Tabs.Root
            value={tab}
            orientation="vertical"
            onValueChange={(next) => {
              isOpening.current = false;
              navigation.addingTab.set(ADDING_WAYS.find(({ id }) => id === next)?.id ?? tab);
            }}
            className="flex min-h-0 flex-1 max-[640px]:flex-col short:flex-[1_0_auto]"
          >
            <Tabs.List
              aria-label="Ways to add a member"
              className="flex w-54 shrink-0 flex-col gap-0.5 overflow-y-auto border-e border-line bg-sidebar p-2 max-[640px]:w-full max-[640px]:flex-row max-[640px]:overflow-x-auto max-[640px]:border-e-0 max-[640px]:border-b"
            >
              {ADDING_WAYS.map(({ id, title, about, icon }) => (
                <Tabs.Trigger
                  key={id}
                  value={id}
                  aria-label={title}
                  aria-description={id === "found" && fresh > 0 ? `${about}, ${number(fresh)} new` : about}
                  className="group grid shrink-0 grid-cols-[16px_1fr_auto] items-center gap-x-2.5 rounded-sm p-2 text-start hover:bg-hover data-[state=active]:bg-selected"
                >
                  <Icon of={SIGNS[icon]} className="text-faint group-data-[state=active]:text-accent" />
                  <span className="font-medium">{title}</span>
                  {id === "found" && fresh > 0 && <span className="rounded-full bg-bg px-1.5 text-xs font-semibold leading-4.5">{number(fresh)}</span>}
                  <span className="col-span-2 col-start-2 text-sm text-dim max-[640px]:hidden">{about}</span>
                </Tabs.Trigger>
              ))}
            </Tabs.List>
            <FrameContext value={frame}>
              {ADDING_WAYS.map(({ id, Component }) => (
                <Tabs.Content key={id} value={id} className="flex min-h-0 min-w-0 flex-1 flex-col gap-3 overflow-y-auto p-4 outline-offset-[-2px] short:overflow-visible max-[640px]:short:flex-none">
                  <PageBoundary>
                    <Suspense fallback={<div aria-busy className="flex-1" />}>
                      <Component />
                    </Suspense>
                  </PageBoundary>
                </Tabs.Content>
              ))}
            </FrameContext>
          </Tabs.Root>
          <footer ref={setFoot} className="flex min-h-14 shrink-0 flex-wrap items-center justify-end gap-2 border-t border-line bg-sidebar py-2 ps-5 pe-4 short:sticky short:bottom-0 short:min-h-0 short:py-1" />
          {asking && (
            <AskFirst
              title="Discard your input?"
              does="Discard"
              keep="Keep editing"
              onDo={() => {
                leave();
                return Promise.resolve(null);
              }}
              onClose={() => setAsking(false)}
              returnTo={content}
            >
              Closing the dialog discards the text that you entered.
            </AskFirst>
          )}
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
