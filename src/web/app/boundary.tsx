/** Shows an error state in place of a page that throws, so that the rest of the dashboard stays usable. */
import { Component, type ComponentChildren } from 'preact';
import { ErrorState } from '../kit/states/states.tsx';
import { shellWords } from '../messages/shell.ts';
import { reload } from '../lib/navigation/navigate.ts';

interface Props {
  /** A change of this clears the error, because it is another page. */
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
        title={shellWords.pageFailed}
        error={this.state.error}
        retry={() => reload()}
        retryLabel={shellWords.reload}
      />
    );
  }
}
