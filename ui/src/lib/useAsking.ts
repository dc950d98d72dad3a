import { useEffect } from "react";

import { useLayers } from "./layers";


/**
 * Registers the function that closes an open dialog or side sheet that is not a layer. `Layers.uncover` calls the
 * function before another page is shown.
 */
export function useAsking(leave: () => void): void {
  const { asking } = useLayers();
  useEffect(() => {
    asking.add(leave);
    return () => void asking.delete(leave);
  }, [asking, leave]);
}
