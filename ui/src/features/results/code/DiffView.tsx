import { lazy, Suspense } from "react";

import { Sign } from "../../../components/Icon";

const Differences = lazy(() => import("./Differences"));

export interface DiffProps {
  readonly left: string;
  readonly right: string;
  readonly label: string;
  readonly isJson?: boolean;
}

/** Shows the lines that differ between two texts. */
export function DiffView(props: DiffProps) {
  const loading = <p role="status" className="text-dim"><Sign of="dashes" className="text-warn me-1" />Comparing…</p>;
  return <Suspense fallback={loading}><Differences {...props} /></Suspense>;
}
