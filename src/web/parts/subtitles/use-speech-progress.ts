/** Progress of the speech analysis of a film, or the analysis that it waits for. */
import { useAsk, type Reply } from '../../data/query.ts';
import { subtitlesWords as m } from '../../messages/subtitles.ts';
import { percent } from '../../lib/format.ts';

/** How often it is asked for. */
const EVERY_MS = 1500;

type Listening = NonNullable<Reply<'subtitles', 'item'>['listening']>;

const words = ({ state, progress, waitsFor }: Listening): string => {
  if (state === 'waiting')
    return waitsFor === undefined ? m.anotherVideoIsAnalysedFirst : m.isAnalysedFirstYoursIs({ title: waitsFor });
  return progress === undefined || progress === 0 ? m.analysingTheAudio : m.analysingAt({ share: percent(progress) });
};

/** A sentence while it is on, and undefined where nothing is listened to. */
export function useListening(id: string, isOn: boolean): string | undefined {
  const { data } = useAsk('subtitles', 'item', { id }, { enabled: isOn, every: isOn ? EVERY_MS : false });
  return isOn && data?.listening ? words(data.listening) : undefined;
}
