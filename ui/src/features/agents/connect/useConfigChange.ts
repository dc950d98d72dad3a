/** Previews, writes and undoes a change of an app's config file. */
import { useState } from "react";

import type { ClientConfigPreview, Endpoint, Report, UndoneClientConfig, WrittenClientConfig } from "../../../ipc/bindings";
import { asRefusal } from "../../../ipc/bridge";
import { useHall } from "../../../lib/hall/hall";
import { type Operation, useOperation } from "../../../lib/useOperation";
import { pathOf } from "../faces";

interface ConfigTarget {
  readonly client: string;
  /** The path of a project's config file; `null` for the user's own config file. */
  readonly path: string | null;
  readonly endpoint: Endpoint;
  /** Whether the change also removes the app's servers that the endpoint provides. */
  readonly handOver: boolean;
}

/** The result of the last write or undo. */
export type ConfigDone =
  | { readonly what: "written"; readonly file: WrittenClientConfig }
  | { readonly what: "undone"; readonly file: UndoneClientConfig };

interface ConfigChange {
  /** The preview of the change; `null` while no preview is open. */
  readonly preview: ClientConfigPreview | null;
  readonly done: ConfigDone | null;
  /** The reason why no other change can start now; `undefined` if one can. */
  readonly busy: string | undefined;
  readonly problem: Report | null;
  readonly look: () => void;
  /** Requests another preview, in which the app gets all tools, or only the tools that it offered before. */
  readonly chooseTools: (all: boolean) => void;
  readonly write: () => void;
  /** Restores the file and revokes the tokens in it. */
  readonly undo: () => void;
  /** Closes the preview without changing the file. */
  readonly close: () => void;
}

export function useConfigChange({ client, path, endpoint, handOver }: ConfigTarget, onDone: (done: ConfigDone) => void): ConfigChange {
  const hall = useHall();
  const [previewed, setPreviewed] = useState<{ of: string; preview: ClientConfigPreview; allTools: boolean } | null>(null);
  const [done, setDone] = useState<ConfigDone | null>(null);
  const operation = useOperation();
  // A preview for another endpoint is out of date.
  const preview = previewed?.of === pathOf(endpoint) ? previewed.preview : null;

  const attempt = (how: Operation["go"], what: () => Promise<void>) =>
    void how(async () => {
      try {
        await what();
        return null;
      } catch (reason) {
        const { report } = asRefusal(reason);
        // The file has changed since the preview, so the preview is closed.
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
    attempt(operation.look, async () => {
      const seen = await hall.ask("preview_client_config", { client, path, endpoint, handOver, allTools });
      setPreviewed({ of: pathOf(endpoint), preview: seen, allTools });
      setDone(null);
    });
  return {
    preview,
    done,
    busy: operation.busy ? "In progress" : undefined,
    problem: operation.problem,
    look: () => look(false),
    chooseTools: look,
    write: () => {
      if (preview === null || previewed === null) return;
      const { precondition } = preview;
      const { allTools } = previewed;
      attempt(operation.go, async () => {
        const file = await hall.ask("write_client_config", { client, path, endpoint, handOver, allTools, precondition });
        finish({ what: "written", file });
      });
    },
    undo: () =>
      attempt(operation.go, async () => {
        const file = await hall.ask("undo_client_config", { client, path });
        finish({ what: "undone", file });
        for (const { id } of file.clients) await hall.ask("revoke_agent_client", { client: id });
      }),
    close: () => setPreviewed(null),
  };
}
