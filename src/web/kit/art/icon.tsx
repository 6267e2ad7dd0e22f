/** An icon, drawn from Lucide's data. Import the data of exactly the icon that is shown. */
import type { IconNode } from 'lucide';

export type { IconNode };
export interface IconProps {
  of: IconNode;
  /** In rem; 1.25 goes with text. */
  size?: number;
  /** Fills the shape, for a state that is on. */
  isFilled?: boolean;
  className?: string;
}
/** Icons repeat what a word beside them or the label around them says, so they are hidden from screen readers. */
export const Icon = ({ of, size = 1.25, isFilled = false, className = '' }: IconProps) => (
  <svg
    className={className}
    viewBox="0 0 24 24"
    width={`${size}rem`}
    height={`${size}rem`}
    style={{ width: `${size}rem`, height: `${size}rem`, flex: 'none' }}
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
