/** A change of a program's file: looked at, written as it was seen, and taken back. */
import { useState } from "react";

import { useHouse } from "../../app/house";
import type { ClientConfigPreview, Endpoint, Report, UndoneClientConfig, WrittenClientConfig } from "../../bridge/bindings";
import { asRefusal } from "../../bridge/bridge";
import { type Deed, useDeed } from "../../parts/useDeed";
import { pathOf } from "../faces";

/** What is changed, and how. */
interface Wanted {
  readonly client: string;
  /** Which of its files; `null` for the user's file. */
  readonly path: string | null;
  readonly endpoint: Endpoint;
  /** Whether servers go that the endpoint has too. */
  readonly handOver: boolean;
}

/** What was done to a file last. */
export type ConfigDone =
  | { readonly what: "written"; readonly file: WrittenClientConfig }
  | { readonly what: "undone"; readonly file: UndoneClientConfig };

interface ConfigChange {
  /** The preview of the change, once requested. */
  readonly preview: ClientConfigPreview | null;
  readonly done: ConfigDone | null;
  /** Why nothing else can be done now. */
  readonly busy: string | undefined;
  readonly problem: Report | null;
  readonly look: () => void;
  /** Looks again, with all tools of servers of which the program offers only some, or without. */
  readonly chooseTools: (all: boolean) => void;
  readonly write: () => void;
  readonly undo: () => void;
  /** Revokes the tokens of the clients in a restored file. */
  readonly revoke: () => void;
  /** Closes the preview without changing the file. */
  readonly close: () => void;
}

export function useConfigChange({ client, path, endpoint, handOver }: Wanted, onDone: (done: ConfigDone) => void): ConfigChange {
  const { hall } = useHouse();
  const [previewed, setPreviewed] = useState<{ of: string; preview: ClientConfigPreview; allTools: boolean } | null>(null);
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
        // The preview no longer matches the file.
        if (report.code === "client-config-changed") setPreviewed(null);
        return report;
      }
    });
  const finish = (what: ConfigDone) => {
    setDone(what);
    setPreviewed(null);
    onDone(what);
  };
  const look = (allTools: boolean) =>
    attempt(deed.look, async () => {
      const seen = await hall.ask("preview_client_config", { client, path, endpoint, handOver, allTools });
      setPreviewed({ of: pathOf(endpoint), preview: seen, allTools });
      setDone(null);
    });
  return {
    preview,
    done,
    busy: deed.busy ? "In progress" : undefined,
    problem: deed.problem,
    look: () => look(false),
    chooseTools: look,
    write: () => {
      if (preview === null || previewed === null) return;
      const { precondition } = preview;
      const { allTools } = previewed;
      attempt(deed.go, async () => {
        const file = await hall.ask("write_client_config", { client, path, endpoint, handOver, allTools, precondition });
        finish({ what: "written", file });
      });
    },
    undo: () => attempt(deed.go, async () => finish({ what: "undone", file: await hall.ask("undo_client_config", { client, path }) })),
    revoke: () => {
      if (done?.what !== "undone") return;
      attempt(deed.go, async () => {
        for (const { id } of done.file.clients) await hall.ask("revoke_agent_client", { client: id });
        setDone({ what: "undone", file: { ...done.file, clients: [] } });
      });
    },
    close: () => setPreviewed(null),
  };
}
