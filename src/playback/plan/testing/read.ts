/** For tests of the plan: asks it with the short names of a row, and writes what it decided on one line. */
import { type Decision, decide, type PlayQuestion } from '../decide.ts';
import { NO_TROUBLE } from '../causes.ts';
import { readCapabilities } from '../names.ts';
import { audiosOf, usualAudio } from '../support.ts';
import type { Client, CopyObstacle, PlanPolicy, PlanSettings, FileRecipe, TrackFacts, Trouble } from '../types.ts';
import type { PlayReasonCode } from '../../../contract/playback/reasons.ts';
import { type ClientName, CLIENTS, type MachineName, MACHINES, POLICY, SETTINGS } from './clients.ts';
import { type FilmName, FILMS, TRACKS } from './films.ts';

export interface TestCase {
  settings?: Partial<PlanSettings>;
  policy?: Partial<PlanPolicy>;
  machine?: MachineName;
  trouble?: Partial<Trouble>;
  /** Parameters of the client in addition to its profile. */
  client?: Parameters<typeof readCapabilities>[0];
  /** Index of an audio stream that was chosen. */
  audio?: number;
  subtitle?: string;
  quality?: string;
  obstacles?: readonly CopyObstacle[];
  /** Facts of its index about single streams. */
  tracks?: Readonly<Record<number, TrackFacts>>;
}

/** One letter for each reason. */
export const LETTERS: Readonly<Record<PlayReasonCode, string>> = {
  'not-analysed': '?',
  mode: 'M',
  'container-not-supported': 'C',
  'video-codec-not-supported': 'V',
  'video-profile-not-supported': 'P',
  'hdr-not-supported': 'H',
  'dolby-vision-profile': 'D',
  resolution: 'R',
  bitrate: 'B',
  quality: 'Q',
  interlaced: 'I',
  rotated: 'T',
  'audio-codec-not-supported': 'A',
  'audio-channels': 'N',
  'audio-track': 'K',
  'subtitle-burn-in': 'S',
  'open-gop': 'O',
  'sparse-keyframes': 'G',
  'edit-list': 'E',
  'no-index': 'X',
  'policy-transcode': 'Y',
  busy: 'Z',
  'cannot-decode': 'U',
  'hardware-failed': 'W',
  'empty-track': 'L',
  'quality-refused': 'F',
  protected: '#',
};

export function questionOf(film: FilmName, client: ClientName, given: TestCase = {}): PlayQuestion {
  const info = FILMS[film];
  const said =
    given.client &&
    Object.fromEntries(Object.entries(readCapabilities(given.client)).filter(([, value]) => value !== undefined));
  const asked: Client = { ...CLIENTS[client], ...said };
  const chosen = audiosOf(info).find(({ index }) => index === given.audio);
  return {
    info,
    client: asked,
    settings: { ...SETTINGS, ...given.settings },
    policy: { ...POLICY, ...given.policy },
    machine: MACHINES[given.machine ?? 'strong'],
    trouble: { ...NO_TROUBLE, ...given.trouble },
    audio: chosen ?? usualAudio(info),
    isAudioChosen: chosen !== undefined,
    quality: given.quality,
    subtitles: film === 'subtitles' ? TRACKS : [],
    ...(given.subtitle !== undefined && {
      subtitle: given.subtitle,
      sidecar: given.subtitle.startsWith('f') ? `${given.subtitle}.sup` : undefined,
    }),
    ...((given.obstacles ?? given.tracks) && {
      index: {
        obstacles: given.obstacles ?? [],
        tracks: new Map(Object.entries(given.tracks ?? {}).map(([stream, facts]) => [Number(stream), facts])),
      },
    }),
  };
}
export const decided = (film: FilmName, client: ClientName, given?: TestCase): Decision =>
  decide(questionOf(film, client, given));

/** `CA|A`: the reasons of each way that was rejected, in order. */
export const rejections = ({ rejected }: Decision): string =>
  rejected.map(({ reasons }) => reasons.map(({ code }) => LETTERS[code]).join('')).join('|');
/** The reasons of the whole reply. */
export const letters = ({ reasons }: Decision): string => reasons.map(({ code }) => LETTERS[code]).join('');

/** `h264 1280x720 3000 fast, 1 aac2 192 mixed, 2 copy` */
export function recipeLine(recipe: FileRecipe | undefined): string {
  if (!recipe) return 'refused';
  const { video, audio } = recipe;
  const lines: string[] = [];
  if (video?.action === 'copy') lines.push('copy');
  if (video?.action === 'convert') {
    const { codec, width, height, bitrate, toneMap, burn, deinterlace, rotate } = video.recipe;
    const { accelerator, preset } = video.encoder;
    const extras = [
      toneMap,
      burn && ('stream' in burn ? `burn ${burn.stream}` : `burn ${burn.sidecar}`),
      deinterlace ? 'deinterlace' : undefined,
      rotate > 0 ? `turn ${rotate}` : undefined,
    ];
    lines.push(
      [codec, `${width}x${height}`, bitrate / 1000, accelerator?.name ?? preset, ...extras]
        .filter((one) => one !== undefined)
        .join(' '),
    );
  }
  for (const one of audio)
    lines.push(
      one.action === 'copy'
        ? `${one.stream} copy`
        : `${one.stream} ${one.recipe.codec}${one.recipe.channels} ` +
            `${one.recipe.bitrate / 1000}${one.recipe.downmix ? ' mixed' : ''}`,
    );
  return lines.join(', ');
}
