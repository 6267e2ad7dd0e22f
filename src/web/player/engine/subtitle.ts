/** Which subtitles are shown, one below and one above, how they get here, and switching them off and on again. */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { address, failureIn, loadReasons, routes } from '../../data/client.ts';
import { useMe } from '../../data/session.ts';
import { useQueryParams } from '../../lib/navigation/navigate.ts';
import type { Lines } from '../captions/captions.tsx';
import { firstSubtitle, subtitleForKey, type CaptionChoice } from '../captions/choose.ts';
import { canDrawStyles } from '../../parts/playback/styled-support.ts';
import type { CueTrack } from '../captions/use-cues.ts';
import { canStandAbove, trackName, type PlanSubtitle as Track } from '../../parts/playback/words.ts';
import type { Delays } from './delays.ts';
import type { Change, PlanReply } from '../../parts/playback/plan.ts';
import { playerWords as m } from '../../messages/player.ts';
import { decimal } from '../../lib/format.ts';
import { pendingUntil } from '../../lib/pending-work.ts';

/** Hold for the next episode, while this tab lives. */
let chosenBefore: CaptionChoice | undefined;
let secondBefore: CaptionChoice | undefined;

/** How a subtitle is shown here. `burned` is in the picture already. */
export type Drawing = 'text' | 'styled' | 'pictures' | 'burned';
export interface ShownTrack extends CueTrack {
  as: Drawing;
  /** Addresses of fonts in the file, where the styles of the track may name them. */
  fonts?: readonly string[];
}
export interface Subtitle {
  chosen: Track | undefined;
  second: Track | undefined;
  /** Tracks that can be shown above the chosen one. */
  aboves: readonly Track[];
  shown: ShownTrack | undefined;
  shownAbove: ShownTrack | undefined;
  /** Seconds later. */
  offset: number;
  lines: { current: Lines | undefined };
  choose: (track: Track | undefined) => void;
  chooseSecond: (track: Track | undefined) => void;
  setOffset: (seconds: number) => void;
  toggle: () => void;
  onFailed: () => void;
  onSecondFailed: () => void;
}
/** Why a subtitle could not be loaded; a track element does not say. */
async function reasonOf(url: string | undefined): Promise<string> {
  try {
    const reply = await fetch(url ?? '', { credentials: 'same-origin' });
    if (!reply.ok) {
      await loadReasons();
      return failureIn(reply.status, await reply.json()).says || reply.statusText;
    }
    void reply.body?.cancel();
    return m.thisBrowserCannotReadIt;
  } catch {
    return m.theServerDoesNotAnswer;
  }
}

const isStyled = ({ format }: Pick<Track, 'format'>): boolean => format === 'ass' || format === 'ssa';
/** The way that a track is drawn; `isPlain` when the drawing of styles failed or is not wanted. */
export function drawingOf(track: Track, isPlain: boolean): Drawing {
  if (track.delivery === 'burn') return 'burned';
  if (track.picture) return 'pictures';
  return isStyled(track) && !isPlain && canDrawStyles() ? 'styled' : 'text';
}
const FORMATS = { text: 'vtt', styled: 'ass', pictures: 'sup', burned: undefined } as const;

interface Where {
  id: string;
  version: string | undefined;
  part: number;
  fonts: PlanReply['fonts'];
}
function shownOf(
  track: Track | undefined,
  isPlain: boolean,
  { id, version, part, fonts }: Where,
): ShownTrack | undefined {
  if (!track) return undefined;
  const as = drawingOf(track, isPlain);
  const format = FORMATS[as];
  if (format === undefined) return undefined;
  const plain = address(routes.media.subtitle, {
    id,
    track: track.key,
    version,
    ...(part > 0 && { part }),
    ...(format !== 'vtt' && { format }),
  });
  // The plan's address carries a ticket; what it says about the format is what we ask.
  const given =
    track.url === undefined ? undefined : withQuery(track.url, { format, ...(part > 0 && { part: String(part) }) });
  return {
    key: track.key,
    as,
    title: track.title,
    url: given ?? plain,
    ...(track.language !== undefined && { language: track.language }),
    ...(as === 'styled' &&
      fonts && { fonts: part > 0 ? fonts.map((font) => withQuery(font, { part: String(part) })) : fonts }),
  };
}
function withQuery(url: string, query: Readonly<Record<string, string>>): string {
  const full = new URL(url, location.origin);
  for (const [name, value] of Object.entries(query)) full.searchParams.set(name, value);
  return full.pathname + full.search;
}

/** Applies the server's settings for a viewer who has chosen nothing. */
const withServer = <P extends { subtitleMode: string }>(
  preferences: P,
  showSubtitles: boolean | undefined,
): P | (P & { subtitleMode: 'always' | 'off' }) =>
  preferences.subtitleMode !== 'automatic' || showSubtitles === undefined
    ? preferences
    : { ...preferences, subtitleMode: showSubtitles ? 'always' : 'off' };

interface Needs {
  item: { id: string };
  plan: PlanReply;
  version: string | undefined;
  part: number;
  spoken: string | undefined;
  delays: Delays;
  onDelays: (change: Partial<Delays>) => Delays;
  /** Asks for another plan: a subtitle that is drawn into the picture is to come or go. */
  change: (change: Change) => void;
  say: (what: string) => void;
}
export function useSubtitle({ item, plan, version, part, spoken, delays, onDelays, change, say }: Needs): Subtitle {
  const preferences = useMe()?.preferences;
  const asked = useQueryParams().get('subtitle') ?? undefined;
  const tracks = plan.subtitles;
  const first = useMemo(
    () =>
      firstSubtitle(tracks, {
        asked,
        chosen: chosenBefore,
        preferences: preferences && withServer(preferences, plan.showSubtitles),
        spoken,
      }),
    [plan.session],
  );
  const firstAbove = useMemo(
    () =>
      secondBefore && secondBefore !== 'off'
        ? firstSubtitle(
            tracks.filter((track) => canStandAbove(track) && track !== first),
            { chosen: secondBefore, preferences: undefined, spoken },
          )
        : undefined,
    [plan.session],
  );
  const [picked, setPicked] = useState<{ key: string | undefined } | undefined>();
  const [above, setAbove] = useState<{ key: string | undefined } | undefined>();
  const [plainKey, setPlainKey] = useState<string>();
  const lines = useRef<Lines | undefined>(undefined);
  // Key of the track that was switched off last.
  const lastOn = useRef<string | undefined>(undefined);
  const chosen = tracks.find((track) => track.key === (picked ? picked.key : first?.key));
  const second = tracks.find((track) => track.key === (above ? above.key : firstAbove?.key) && track !== chosen);
  const where = { id: item.id, version, part, fonts: plan.fonts };
  const shown = shownOf(chosen, plainKey === chosen?.key, where);
  const shownAbove = shownOf(second, true, where);
  // A subtitle that was chosen before playback and must be drawn into the picture needs another plan.
  useEffect(() => {
    if (first?.delivery === 'burn') change({ subtitle: first.key });
  }, []);
  const choose = (track: Track | undefined) => {
    chosenBefore = track ? { language: track.language, role: track.role } : 'off';
    if (track?.delivery === 'burn' || chosen?.delivery === 'burn')
      change({ subtitle: track?.delivery === 'burn' ? track.key : undefined });
    setPicked({ key: track?.key });
    setPlainKey(undefined);
  };
  const chooseSecond = (track: Track | undefined) => {
    secondBefore = track ? { language: track.language, role: track.role } : 'off';
    setAbove({ key: track?.key });
  };
  const setOffset = (seconds: number) => {
    const { subtitle } = onDelays({ subtitle: seconds });
    say(
      subtitle === 0
        ? m.subtitlesInTheirOriginalTiming
        : (subtitle > 0 ? m.subtitlesLater : m.subtitlesEarlier)({ seconds: decimal(Math.abs(subtitle), 1) }),
    );
  };
  const toggle = () => {
    if (chosen) {
      lastOn.current = chosen.key;
      choose(undefined);
      return say(m.subtitlesOff);
    }
    const fallback =
      tracks.find(({ key }) => key === lastOn.current) ??
      subtitleForKey(tracks, { preferences, browser: navigator.languages, server: plan.subtitleLanguage });
    if (!fallback) return say(m.thereAreNoSubtitlesYet);
    choose(fallback);
    return say(m.subtitles({ track: trackName(fallback, tracks) }));
  };
  const onFailed = () => {
    // Styles that cannot be drawn here are still words.
    if (shown?.as === 'styled') return setPlainKey(chosen?.key);
    setPicked({ key: undefined });
    return void pendingUntil('call', reasonOf(shown?.url)).then((reason) =>
      say(m.thisSubtitleCannotBeShown({ reason })),
    );
  };
  const onSecondFailed = () => {
    setAbove({ key: undefined });
    void pendingUntil('call', reasonOf(shownAbove?.url)).then((reason) => say(m.theSecondSubtitleCannotBe({ reason })));
  };
  const aboves = tracks.filter((track) => canStandAbove(track) && track !== chosen);
  return {
    chosen,
    second,
    aboves,
    shown,
    shownAbove,
    offset: delays.subtitle,
    lines,
    choose,
    chooseSecond,
    setOffset,
    toggle,
    onFailed,
    onSecondFailed,
  };
}
