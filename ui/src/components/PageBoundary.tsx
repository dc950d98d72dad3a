import { Component, type ReactNode } from "react";

import { Button } from "./Button";

interface State {
  /** The message of the caught error; `null` if no error was thrown. */
  failure: string | null;
}

/**
 * The error boundary of a page. If the page fails to load or render, the rest of the window stays usable. It
 * needs a `key` per page, so that the error disappears when another page is opened.
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
