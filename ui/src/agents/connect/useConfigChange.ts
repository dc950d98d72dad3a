/** A change of a program's file: looked at, written as it was seen, and taken back. */
import { useState } from "react";

import { useHouse } from "../../app/house";
import type { ClientConfigPreview, Endpoint, Report, WrittenClientConfig } from "../../bridge/bindings";
import { asRefusal } from "../../bridge/bridge";
import { type Deed, useDeed } from "../../parts/useDeed";
import { words } from "../../words/connect";
import { pathOf } from "../faces";

/** What is changed, and how. */
interface Wanted {
  readonly client: string;
  /** Which of its files; `null` for the one that it reads for the user. */
  readonly path: string | null;
  readonly endpoint: Endpoint;
  /** Whether servers go that the endpoint has too. */
  readonly handOver: boolean;
}

export type ConfigDeed = "written" | "undone";

/** What was done to a file last. */
export interface ConfigDone {
  readonly what: ConfigDeed;
  readonly file: WrittenClientConfig;
}

interface ConfigChange {
  /** What would be written, once it was asked for. */
  readonly preview: ClientConfigPreview | null;
  readonly done: ConfigDone | null;
  /** Why nothing else can be done now. */
  readonly busy: string | undefined;
  readonly problem: Report | null;
  readonly look: () => void;
  readonly write: () => void;
  readonly undo: () => void;
  /** Leaves the file as it is. */
  readonly close: () => void;
}

export function useConfigChange({ client, path, endpoint, handOver }: Wanted, onDone: (what: ConfigDeed) => void): ConfigChange {
  const { hall } = useHouse();
  const [previewed, setPreviewed] = useState<{ of: string; preview: ClientConfigPreview } | null>(null);
  const [done, setDone] = useState<ConfigDone | null>(null);
  const deed = useDeed();
  // Another endpoint is another change.
  const preview = previewed?.of === pathOf(endpoint) ? previewed.preview : null;

  const attempt = (how: Deed["go"], what: () => Promise<void>) =>
    void how(async () => {
      try {
        await what();
        return null;
      } catch (reason) {
        const { report } = asRefusal(reason);
        // What was shown is no longer what would be changed.
        if (report.code === "client-config-changed") setPreviewed(null);
        return report;
      }
    });
  const finish = (what: ConfigDeed, file: WrittenClientConfig) => {
    setDone({ what, file });
    setPreviewed(null);
    onDone(what);
  };
  return {
    preview,
    done,
    busy: deed.busy ? words.beingDone : undefined,
    problem: deed.problem,
    look: () =>
      attempt(deed.look, async () => {
        setPreviewed({ of: pathOf(endpoint), preview: await hall.ask("preview_client_config", { client, path, endpoint, handOver }) });
        setDone(null);
      }),
    write: () => {
      if (preview === null) return;
      const { precondition } = preview;
      attempt(deed.go, async () => finish("written", await hall.ask("write_client_config", { client, path, endpoint, handOver, precondition })));
    },
    undo: () => attempt(deed.go, async () => finish("undone", await hall.ask("undo_client_config", { client, path }))),
    close: () => setPreviewed(null),
  };
}
