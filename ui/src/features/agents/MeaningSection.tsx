/** The form for the embeddings endpoint that ranks tools by meaning: its address, model and key, and a test request. */
import { useId, useState } from "react";

import type { EmbeddingsEndpoint, GatewayState } from "../../ipc/bindings";
import { errorOf } from "../../lib/errorOf";
import { Button } from "../../components/Button";
import { Sign } from "../../components/Icon";
import { ErrorReport } from "../../components/ErrorReport";
import { useHall } from "../../lib/hall/hall";
import { useSpoken } from "../../lib/spoken";
import { useOperation } from "../../lib/useOperation";
import { SetSecret } from "../settings/secrets/SetSecret";
import { number } from "../../lib/format";
import { useSecretStore } from "../settings/secrets/secretStore";
import { TextField } from "./TextField";
import { useAgents } from "./agents";

const BUSY = "In progress";

const works = (dimensions: number, ms: number) => `The endpoint works: vectors of ${number(dimensions)} numbers, answered in ${number(ms)} ms.`;

/** The name of the secret with the endpoint's key, unless the Key field refers to another secret. */
const KEY = "embeddings-key";
const REFERENCE = /^\$\{(secret|env):[A-Za-z0-9._/-]+\}$/;

/** Mounts the form again, with the saved values, when the saved endpoint changes. */
export function MeaningSection({ gateway: { embeddings } }: { gateway: GatewayState }) {
  return <Section key={JSON.stringify(embeddings)} saved={embeddings} />;
}

function Section({ saved }: { saved: EmbeddingsEndpoint | null }) {
  const agents = useAgents();
  const hall = useHall();
  const secrets = useSecretStore();
  const spoken = useSpoken();
  const title = useId();
  const [url, setUrl] = useState(saved?.url ?? "");
  const [model, setModel] = useState(saved?.model ?? "");
  const [key, setKey] = useState(saved?.key ?? "");
  const [tested, setTested] = useState<string | null>(null);
  const [storing, setStoring] = useState(false);
  const operation = useOperation();
  const reference = key.trim();
  const wrong = url.trim() === "" || model.trim() === "" ? "Enter an address and a model" : reference !== "" && !REFERENCE.test(reference) ? "The key is a reference such as ${secret:embeddings-key}. Use Store key to keep the key itself." : undefined;
  const unavailable = operation.busy ? BUSY : wrong;
  const endpoint = (): EmbeddingsEndpoint => ({
    url: url.trim(),
    model: model.trim(),
    ...(reference === "" ? {} : { key: reference }),
    ...(typeof saved?.timeoutMs === "number" ? { timeoutMs: saved.timeoutMs } : {}),
  });
  const set = (next: EmbeddingsEndpoint | null) => {
    setTested(null);
    void operation.go(() => agents.change("set_embeddings", { endpoint: next })).then((done) => done && spoken.set(next ? "Endpoint saved" : "Endpoint removed"));
  };
  const test = () => {
    setTested(null);
    void operation.look(() => errorOf(async () => {
      const { dimensions, durationMs } = await hall.ask("test_embeddings", { endpoint: endpoint() });
      setTested(works(dimensions, durationMs));
      spoken.set(works(dimensions, durationMs));
    }));
  };
  const named = /^\$\{secret:(.+)\}$/.exec(reference)?.[1];
  const secret = named ?? KEY;
  return (
    <details data-testid="meaning" open={saved !== null} className="*:not-first:mt-2">
      <summary className="w-fit"><h2 id={title} className="inline font-semibold">Search by meaning (optional)</h2></summary>
      <p className="text-dim">An embeddings endpoint that you run or choose (Ollama, LM Studio, llama.cpp or another) helps agents find tools by meaning. It is sent the names and descriptions of your tools and each task that an agent searches for. Without it, nothing is sent and words alone decide.</p>
      <form
        aria-labelledby={title}
        className="flex flex-col gap-2"
        onSubmit={(event) => {
          event.preventDefault();
          if (unavailable === undefined) set(endpoint());
        }}
      >
        <TextField label="Address" note="It most often ends in /v1, e.g. http://127.0.0.1:11434/v1. Addresses of other machines begin with https://." value={url} onValue={setUrl} />
        <TextField label="Model" note="Its name at the endpoint, e.g. all-minilm." value={model} onValue={setModel} />
        <TextField label="Key" note="Leave it empty, or enter a reference: ${secret:embeddings-key} or ${env:NAME}. Store key puts the key itself where secrets are kept." value={key} onValue={setKey} />
        <div className="flex flex-wrap items-center gap-2">
          <Button type="submit" look="accent" unavailable={unavailable}>Save endpoint</Button>
          <Button unavailable={unavailable} onClick={test}>{operation.busy ? "Testing…" : "Test endpoint"}</Button>
          {!storing && <Button onClick={() => setStoring(true)}>Store key…</Button>}
          {saved && <Button look="quiet" unavailable={operation.busy ? BUSY : undefined} onClick={() => set(null)}>Remove endpoint</Button>}
        </div>
      </form>
      {tested !== null && <p className="select-text" data-testid="meaning-tested"><Sign of="dot" className="me-1" />{tested}</p>}
      {operation.problem && <ErrorReport report={operation.problem} testid="meaning-problem" />}
      {storing && (
        <SetSecret
          name={secret}
          member={null}
          onDone={() => {
            setStoring(false);
            const kept = secrets.known.get()?.secrets.some(({ name, kept }) => name === secret && kept !== null) ?? false;
            if (named === undefined && kept) setKey(`\${secret:${secret}}`);
          }}
        />
      )}
    </details>
  );
}
