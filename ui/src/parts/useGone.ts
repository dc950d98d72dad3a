import { useEffect, useRef } from "react";

/** Says whether what asks is off the screen by now: what it would say nobody would see. */
export function useGone(): () => boolean {
  const gone = useRef(false);
  useEffect(() => {
    gone.current = false;
    return () => {
      gone.current = true;
    };
  }, []);
  return () => gone.current;
}
