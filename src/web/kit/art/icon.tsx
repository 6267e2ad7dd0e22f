/** An icon, drawn from Lucide's data. Import the data of exactly the icon that is shown. */
import arrowLeft from 'lucide/dist/esm/icons/arrow-left.mjs';
import chevronLeft from 'lucide/dist/esm/icons/chevron-left.mjs';
import chevronRight from 'lucide/dist/esm/icons/chevron-right.mjs';
import type { IconNode } from 'lucide';

export type { IconNode };
/** Icons that point along a line of text. They are mirrored where text runs from right to left. */
const DIRECTED: ReadonlySet<IconNode> = new Set([arrowLeft, chevronLeft, chevronRight]);

export interface IconProps {
  of: IconNode;
  /** In rem; 1.25 goes with text. */
  size?: number;
  /** Fills the shape, for a state that is on. */
  isFilled?: boolean;
  className?: string;
}
/** Icons repeat the text next to them or the label of their button, so they are hidden from screen readers. */
export const Icon = ({ of, size = 1.25, isFilled = false, className = '' }: IconProps) => (
  <svg
    className={className}
    viewBox="0 0 24 24"
    width={`${size}rem`}
    height={`${size}rem`}
    style={{
      width: `${size}rem`,
      height: `${size}rem`,
      flex: 'none',
      ...(DIRECTED.has(of) && { transform: 'scaleX(var(--forward))' }),
    }}
    fill={isFilled ? 'currentColor' : 'none'}
    stroke="currentColor"
    strokeWidth="1.9"
    strokeLinecap="round"
    strokeLinejoin="round"
    aria-hidden="true"
    focusable="false"
  >
    {of.map(([Tag, attributes], at) => {
      const Shape = Tag as 'path';
      return <Shape key={at} {...(attributes as object)} />;
    })}
  </svg>
);
