/** The first lines of a subtitle with their times. */
import { position } from '../../../lib/format.ts';
import css from './candidates.module.css';

export const PreviewLines = ({ lines }: { lines: readonly { start: number; text: string }[] }) => (
  <ol className={css.lines}>
    {lines.map(({ start, text }, n) => (
      <li key={n}>
        <span className="muted">{position(start)}</span>
        <span dir="auto">{text.replaceAll(/<[^<>]*>/g, '')}</span>
      </li>
    ))}
  </ol>
);
