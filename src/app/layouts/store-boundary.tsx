import { Component, type ReactNode } from 'react';
import { StoreSilent, storeIsSilent } from '#src/device/store-silent.ts';

type Parts = { children: ReactNode; instead: ReactNode };
/** Shows `instead` in place of a page that needs the store of the device while it does not answer. */
export class StoreBoundary extends Component<Parts, { failed: unknown }> {
  override state: { failed: unknown } = { failed: null };
  static getDerivedStateFromError(failed: unknown) {
    return { failed };
  }
  private unwatch: (() => void) | undefined;
  override componentDidMount() {
    // Once the store has answered after all, the page is shown.
    this.unwatch = storeIsSilent.subscribe(() => {
      if (!storeIsSilent.get() && this.state.failed instanceof StoreSilent) this.setState({ failed: null });
    });
  }
  override componentWillUnmount() {
    this.unwatch?.();
  }
  override render() {
    const { failed } = this.state;
    if (failed === null) return this.props.children;
    if (failed instanceof StoreSilent) return this.props.instead;
    throw failed;
  }
}
