/** Catches what a page throws, so that the rest of the dashboard stays usable. */
import { Component, type ComponentChildren } from 'preact';
import { ErrorState } from '../kit/states/states.tsx';

interface Props {
  /** A change of this clears the error: another page is another try. */
  of: string;
  children: ComponentChildren;
}
export class Boundary extends Component<Props, { error: unknown; of: string }> {
  override state = { error: undefined as unknown, of: '' };
  static override getDerivedStateFromProps(props: Props, state: { of: string }) {
    return props.of === state.of ? null : { of: props.of, error: undefined };
  }
  override componentDidCatch(error: unknown) {
    this.setState({ error });
    console.error(error);
  }
  override render() {
    return this.state.error === undefined ? (
      this.props.children
    ) : (
      <ErrorState
        isAlone
        title="This page broke"
        error={this.state.error}
        retry={() => location.reload()}
        retryLabel="Reload"
      />
    );
  }
}
