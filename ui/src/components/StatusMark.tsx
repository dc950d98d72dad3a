import type { Status } from "../ipc/bindings";
import { faceOf } from "./status";
import { Sign } from "./Icon";

/** A member's status as a colored symbol and a word. */
export function StatusMark({ status, wordClass = "" }: { status: Status; wordClass?: string }) {
  const face = faceOf(status);
  return (
    <span className="inline-flex items-center gap-1 whitespace-nowrap">
      <Sign of={face.shape} className={face.colour} />
      <span className={wordClass}>{face.word}</span>
    </span>
  );
}
