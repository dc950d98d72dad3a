import { Component, type ReactNode } from "react";

import { Button } from "./Button";

interface State {
  /** The error in words; `null` while there is none. */
  failure: string | null;
}

/**
 * Keeps the roster and everything else usable when one page can't be drawn or fetched. Give it a
 * key per page, so that another page begins afresh.
 */
export class PageBoundary extends Component<{ children: ReactNode }, State> {
  override state: State = { failure: null };

  static getDerivedStateFromError(reason: unknown): State {
    return { failure: reason instanceof Error ? reason.message : String(reason) };
  }

  override render(): ReactNode {
    const { failure } = this.state;
    if (failure === null) return this.props.children;
    return (
      <div role="alert" className="p-6">
        <p className="font-semibold">This page could not be shown.</p>
        <p className="mt-1 line-clamp-6 break-words text-dim">{failure}</p>
        <Button className="mt-3" onClick={() => this.setState({ failure: null })}>
          Try again
        </Button>
      </div>
    );
  }
}
