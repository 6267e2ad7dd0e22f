/** How far the server is with listening to a film, or what it listens to before, while somebody waits for it. */
import { useAsk, type Reply } from '../../data/query.ts';

/** How often it is asked for. */
const EVERY_MS = 1500;

type Listening = NonNullable<Reply<'subtitles', 'item'>['listening']>;

const words = ({ state, progress, waitsFor }: Listening): string => {
  if (state === 'waiting')
    return waitsFor === undefined
      ? 'Another video is listened to first. Yours is next.'
      : `${waitsFor} is listened to first. Yours is next.`;
  return progress === undefined || progress === 0
    ? 'Listening to the film'
    : `Listening to the film: ${Math.floor(progress * 100)} per cent`;
};

/** A sentence while it is on, and undefined where nothing is listened to. */
export function useListening(id: string, isOn: boolean): string | undefined {
  const { data } = useAsk('subtitles', 'item', { id }, { enabled: isOn, every: isOn ? EVERY_MS : false });
  return isOn && data?.listening ? words(data.listening) : undefined;
}
