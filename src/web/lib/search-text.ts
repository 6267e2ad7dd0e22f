/** The text of a search field, which goes into the address after a pause in typing. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { later } from './pending-work.ts';

/**
 * Returns the text of a field and its setter. `search` is called with the trimmed text once typing has rested. The
 * field is ahead of the address: only a question that came from elsewhere, such as a link, replaces the text.
 */
export function useSearchText(
  asked: string,
  search: (text: string) => void,
  restMs: number,
): [text: string, setText: (text: string) => void] {
  const [text, setText] = useState(asked);
  const sent = useRef(asked);
  // Other parts of the address may change while typing rests.
  const latest = useRef(search);
  latest.current = search;
  useEffect(() => {
    if (asked === sent.current) return;
    sent.current = asked;
    setText(asked);
  }, [asked]);
  useEffect(() => {
    const wanted = text.trim();
    if (wanted === sent.current) return;
    return later(restMs, () => {
      sent.current = wanted;
      latest.current(wanted);
    });
  }, [text]);
  return [text, setText];
}
