import { Component, type ReactNode } from "react";
import { renewParts } from "./part.tsx";

interface ErrorBoundaryProps {
  readonly children: ReactNode;
  /** What stands in place of children that threw while they were drawn. */
  readonly fallback: (error: unknown, retry: () => void) => ReactNode;
  /** When this changes, the children are tried again. */
  readonly retryOn?: unknown;
}

/** Keeps an error in one part of the page from taking the rest with it. */
export class ErrorBoundary extends Component<
  ErrorBoundaryProps,
  { readonly failure: { error: unknown } | null }
> {
  override state = { failure: null };

  static getDerivedStateFromError = (error: unknown) => ({ failure: { error } });

  override componentDidUpdate(before: ErrorBoundaryProps): void {
    if (this.state.failure && before.retryOn !== this.props.retryOn) this.retry();
  }

  private readonly retry = () => {
    renewParts();
    this.setState({ failure: null });
  };

  override render(): ReactNode {
    const { failure } = this.state as { readonly failure: { error: unknown } | null };
    return failure ? this.props.fallback(failure.error, this.retry) : this.props.children;
  }
}
