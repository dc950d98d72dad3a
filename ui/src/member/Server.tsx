import type { ServerInfo } from "../bridge/bindings";

/** What the server said of itself. Its words are shown as text and never as anything else. */
export function Server({ server }: { server: ServerInfo | null }) {
  if (!server) return <p className="text-dim">The server has not said anything of itself yet. It does when it is ready.</p>;
  return (
    <div className="flex flex-col gap-3 select-text">
      <p className="break-words">
        {server.name} {server.version} · protocol {server.protocolVersion} · {server.era === "modern" ? "without a handshake" : "with a handshake"}
      </p>
      {server.instructions !== null && (
        <section>
          <h3 className="text-dim">Instructions for a model</h3>
          <p className="max-h-60 overflow-y-auto break-words whitespace-pre-wrap">{server.instructions}</p>
        </section>
      )}
      <section>
        <h3 className="text-dim">Capabilities</h3>
        <pre dir="ltr" className="overflow-x-auto rounded-sm bg-surface p-2 font-mono text-sm">
          {JSON.stringify(server.capabilities, null, 2)}
        </pre>
      </section>
    </div>
  );
}
