/**
 * The text of a page of a PDF, laid over its picture without being seen: it can be selected, copied and read aloud, and
 * matches of a search are marked on it. Each line is stretched to the width that it has in the picture.
 */
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useAsk } from '../../data/query.ts';
import { readingWords as m } from '../../messages/reading.ts';
import { matchesOnLines } from './pages.ts';
import css from './reader.module.css';

/** Width of a page in the units of the drawing. */
const WIDTH = 1000;
/** Share of the height of a line that is above its base line, in most typefaces. */
const ASCENT = 0.8;

interface Mark {
  x: number;
  y: number;
  width: number;
  height: number;
  isCurrent: boolean;
}

export interface PageTextLayerProps {
  id: string;
  page: number;
  /** Side on which the picture lies in its half of the window. */
  side: 'start' | 'middle' | 'end';
  /** Text that was searched for, and the number of the match on this page. */
  found?: { text: string; number: number } | undefined;
}

const PLACES = { start: 'xMinYMid', middle: 'xMidYMid', end: 'xMaxYMid' } as const;

/** Returns the selected text of a page, with a line break after each of its lines. */
function selectedIn(layer: SVGSVGElement): string {
  const selection = getSelection();
  if (!selection || selection.rangeCount === 0) return '';
  const range = selection.getRangeAt(0);
  return [...layer.querySelectorAll('text')]
    .flatMap((line) => {
      const node = line.firstChild;
      if (!(node instanceof Text) || !range.intersectsNode(node)) return [];
      const from = node === range.startContainer ? range.startOffset : 0;
      const to = node === range.endContainer ? range.endOffset : node.length;
      return from < to ? [node.data.slice(from, to)] : [];
    })
    .join('\n');
}

export const PageTextLayer = ({ id, page, side, found }: PageTextLayerProps) => {
  const { data } = useAsk('reader', 'text', { id, n: page });
  const layer = useRef<SVGSVGElement>(null);
  const [marks, setMarks] = useState<readonly Mark[]>([]);
  useLayoutEffect(() => {
    const lines = [...(layer.current?.querySelectorAll('text') ?? [])];
    if (!data || !found) return setMarks([]);
    const height = WIDTH / data.ratio;
    const all = matchesOnLines(
      data.lines.map(({ text }) => text),
      found.text,
    );
    return setMarks(
      all.flatMap((match, number) =>
        match.flatMap(({ line, from, to }) => {
          const [shown, of] = [lines[line], data.lines[line]];
          if (!shown || !of || to > shown.getNumberOfChars()) return [];
          const x = shown.getStartPositionOfChar(from).x;
          const width = shown.getEndPositionOfChar(to - 1).x - x;
          const isCurrent = number === Math.min(found.number, all.length - 1);
          return { x, width, y: of.y * height, height: of.height * height, isCurrent };
        }),
      ),
    );
  }, [data, found]);
  if (!data || data.lines.length === 0) return null;
  const height = WIDTH / data.ratio;
  return (
    <svg
      ref={layer}
      className={css.text}
      viewBox={`0 0 ${WIDTH} ${height}`}
      preserveAspectRatio={PLACES[side]}
      role="group"
      aria-label={m.textOfPage({ page: page + 1 })}
      onCopy={(event) => {
        const text = layer.current ? selectedIn(layer.current) : '';
        if (text === '') return;
        event.clipboardData?.setData('text/plain', text);
        event.preventDefault();
      }}
    >
      {marks.map(({ isCurrent, ...place }, at) => (
        <rect key={at} className={isCurrent ? css.match : css.otherMatch} {...place} />
      ))}
      {data.lines.map((line, at) => (
        <text
          key={at}
          x={line.x * WIDTH}
          y={(line.y + line.height * ASCENT) * height}
          font-size={line.height * height * ASCENT}
          textLength={Math.max(1, line.width * WIDTH)}
          lengthAdjust="spacingAndGlyphs"
        >
          {line.text}
        </text>
      ))}
    </svg>
  );
};
