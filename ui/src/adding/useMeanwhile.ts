import { useHouse, type Installed } from "../app/house";
import { useStore } from "../hall/store";

/** What was installed while its person was elsewhere, as long as it waits for a review; else `null`. */
export function useMeanwhile(): { readonly said: string; readonly installed: Installed } | null {
  const { adding, hall } = useHouse();
  const meanwhile = useStore(adding.meanwhile, (now) => now);
  const waits = useStore(hall.state, ({ byName }) => meanwhile !== null && byName.get(meanwhile.installed.member)?.status === "unreviewed");
  return waits ? meanwhile : null;
}
