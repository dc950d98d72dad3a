/** A fake hall that moves a little, for a browser during development. */
import type { Bridge } from "./bridge";
import { FakeBridge, type FakeCall } from "./fake";

const STEPS = 8;
const STEP_MS = 500;

const slowly: FakeCall = async (request, progress, cancelled) => {
  for (let step = 1; step <= STEPS; step += 1) {
    await new Promise((resolve) => setTimeout(resolve, STEP_MS));
    if (cancelled.aborted) {
      return {
        kind: "failed",
        report: { code: "call-cancelled", message: "You cancelled the call.", hint: "", member: request.member },
        rpc: null,
        arguments: [],
        stderr: [],
      };
    }
    progress(step, STEPS, `step ${step}`);
  }
  const content = [{ type: "text", text: `${request.tool} was called with\n${request.arguments}` }];
  return { kind: "result", result: JSON.stringify({ content }), isError: request.tool === "move_file" };
};

export function demoBridge(): Bridge {
  const bridge = new FakeBridge({ startMs: 1_500, onCall: slowly });
  setTimeout(() => bridge.change("playwright", { status: "ready", freshness: "live", sinceMs: Date.now() }), 6_000);
  let beat = 0;
  setInterval(() => {
    beat += 1;
    bridge.write("filesystem", [`\u001b[32mINFO\u001b[0m heartbeat ${beat}`]);
  }, 1_000);
  return bridge;
}
