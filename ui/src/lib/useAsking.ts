import { useEffect } from "react";

import { useLayers } from "./layers";


/**
 * Registers an open question and the function that cancels it, so that pages opened from outside can close
 * it.
 */
export function useAsking(leave: () => void): void {
  const { asking } = useLayers();
  useEffect(() => {
    asking.add(leave);
    return () => void asking.delete(leave);
  }, [asking, leave]);
}
