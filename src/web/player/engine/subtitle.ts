/** Which subtitle is shown, how far its times are moved, and switching it off and on again. */
import { useMemo, useState } from 'preact/hooks';
import { address, routes } from '../../data/client.ts';
import { useMe } from '../../data/session.ts';
import { useQueryParams } from '../../app/navigate.ts';
import { firstSubtitle, type Choice } from '../captions/choose.ts';
import { trackName, type Track } from '../parts/subtitle-panel.tsx';
import type { Plan } from './plan.ts';

/** Holds for the next episode, while this tab lives. */
let chosenBefore: Choice | undefined;

export interface Subtitle {
  chosen: Track | undefined;
  /** The chosen track with the address of its text. */
  track: { key: string; language?: string; title: string; url: string } | undefined;
  offset: number;
  choose: (track: Track | undefined) => void;
  setOffset: (seconds: number) => void;
  toggle: () => void;
  onFailed: () => void;
}
/** Why a subtitle could not be loaded; a track element does not say. */
async function reasonOf(url: string | undefined): Promise<string> {
  try {
    const reply = await fetch(url ?? '', { credentials: 'same-origin' });
    if (!reply.ok) return ((await reply.json()) as { error?: string }).error ?? reply.statusText;
    void reply.body?.cancel();
    return 'this browser cannot read it';
  } catch {
    return 'the server does not answer';
  }
}
interface Needs {
  item: { id: string };
  plan: Plan;
  version: string | undefined;
  part: number;
  spoken: string | undefined;
  say: (what: string) => void;
}
export function useSubtitle({ item, plan, version, part, spoken, say }: Needs): Subtitle {
  const preferences = useMe()?.preferences;
  const asked = useQueryParams().get('subtitle') ?? undefined;
  const first = useMemo(() => firstSubtitle(plan.subtitles, { asked, chosen: chosenBefore, preferences, spoken }), [plan.session]);
  const [picked, setPicked] = useState<{ key: string | undefined } | undefined>();
  const [offset, setShift] = useState(0);
  const key = picked ? picked.key : first?.key;
  const chosen = plan.subtitles.find((track) => track.key === key);
  const choose = (track: Track | undefined) => {
    chosenBefore = track ? { language: track.language, role: track.role } : 'off';
    setPicked({ key: track?.key });
    setShift(0);
  };
  const setOffset = (seconds: number) => {
    const rounded = Math.round(seconds * 10) / 10;
    setShift(rounded);
    say(rounded === 0 ? 'Subtitles as in the file' : `Subtitles ${Math.abs(rounded).toFixed(1)} seconds ${rounded > 0 ? 'later' : 'earlier'}`);
  };
  const url = chosen ? (chosen.url ?? address(routes.media.subtitle, { id: item.id, track: chosen.key, version, ...(part > 0 && { part }) })) : undefined;
  return {
    chosen,
    track: chosen && url !== undefined ? { key: chosen.key, title: chosen.title, url, ...(chosen.language !== undefined && { language: chosen.language }) } : undefined,
    offset,
    choose,
    setOffset,
    toggle: () => {
      if (chosen) {
        choose(undefined);
        return say('Subtitles off');
      }
      const fallback = first ?? plan.subtitles.find((track) => !track.picture && track.role !== 'forced') ?? plan.subtitles.find((track) => !track.picture);
      if (!fallback) return say('There are no subtitles for this yet');
      choose(fallback);
      return say(`Subtitles: ${trackName(fallback, plan.subtitles)}`);
    },
    onFailed: () => {
      setPicked({ key: undefined });
      void reasonOf(url).then((reason) => say(`This subtitle cannot be shown: ${reason}`));
    },
  };
}
