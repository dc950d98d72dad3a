import { useEffect } from "react";

import { useHouse } from "./house";

/** Says that a question lies over the page, and how it is left undone, for what is shown from outside meanwhile. */
export function useAsking(leave: () => void): void {
  const { asking } = useHouse();
  useEffect(() => {
    asking.add(leave);
    return () => void asking.delete(leave);
  }, [asking, leave]);
}
