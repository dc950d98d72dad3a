import { useEffect } from "react";

import { useHouse } from "../app/house";

/**
 * Registers an open question and the function that cancels it, so that pages opened from outside can close
 * it.
 */
export function useAsking(leave: () => void): void {
  const { asking } = useHouse();
  useEffect(() => {
    asking.add(leave);
    return () => void asking.delete(leave);
  }, [asking, leave]);
}
