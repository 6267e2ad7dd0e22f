/** An item of the catalogue as the inventory keeps it. Pure: the same subject gives the same row. */
import { type PlayableFile, type Subject, tracksOf } from '../../catalog/index.ts';
import { foldName } from '../../lib/languages.ts';
import { heldBy } from './coverage.ts';
import type { Track } from '../store/rows.ts';
import type { NewItem } from '../store/inventory.ts';

/** The file that is shown when nobody chooses a version: what it has is what counts. */
export const mainFile = (subject: Subject): PlayableFile | undefined => subject.files[0];

/** Undefined when nothing of it is there any more. */
export function inventoryItem(subject: Subject): NewItem | undefined {
  const file = mainFile(subject);
  if (subject.gone || !file) return undefined;
  const tracks = tracksIn(subject, file);
  const title = subject.kind === 'episode' ? (subject.show?.title ?? subject.title) : subject.title;
  const year = subject.kind === 'episode' ? subject.show?.year : subject.year;
  const context = subject.kind === 'episode' ? contextOf(subject) : undefined;
  return {
    id: subject.id,
    library: file.library,
    kind: subject.kind,
    title,
    sort: `${sortable(title)} ${place(subject)}`.trimEnd(),
    words: foldName([title, context, year].filter((part) => part !== undefined).join(' ')),
    year: year ?? null,
    context: context ?? null,
    file: file.relative,
    size: file.size,
    modified: Math.round(file.modifiedMs),
    // A file of a library that is away is still known; whether it is there is asked when somebody looks.
    state: file.info ? 'known' : subject.available && !file.available ? 'broken' : 'unknown',
    tracks,
    ...heldBy(tracks),
  };
}

/** Every subtitle of the file that counts, hidden ones too. */
export function tracksIn(subject: Subject, file: PlayableFile): Track[] {
  const streams = new Map((file.info?.streams ?? []).map((stream) => [`s${stream.index}`, stream]));
  const inside = tracksOf(file, []).map(({ key, language, role, format, picture }): Track => {
    const stream = streams.get(key);
    return {
      source: 'embedded',
      role,
      format,
      ...(language !== undefined && { language }),
      ...(picture && { picture: true }),
      ...(stream?.commentary && { commentary: true }),
      ...(stream?.title !== undefined && { title: stream.title }),
      ...(stream && { stream: stream.index }),
    };
  });
  const beside = subject.sidecars
    .filter(({ version }) => version === file.id)
    .map((one): Track => ({
      source: 'sidecar',
      role: one.role,
      format: one.format,
      relative: one.relative,
      size: one.size,
      modified: Math.round(one.modifiedMs),
      ...(one.language !== undefined && { language: one.language }),
      ...((one.format === 'sup' || one.format === 'vobsub') && { picture: true }),
      ...(one.isHidden && { hidden: true }),
      ...(one.title !== undefined && { title: one.title }),
    }));
  return [...beside, ...inside];
}

const pad = (number: number | undefined): string => String(number ?? 0).padStart(2, '0');

/** `S01E02 · Its name`, `S01E02-E03`, as people write it. */
function contextOf({ season, episode, episodeEnd, title }: Subject): string {
  const end = episodeEnd !== undefined && episodeEnd !== episode ? `-E${pad(episodeEnd)}` : '';
  const at = episode === undefined ? '' : `S${pad(season)}E${pad(episode)}${end}`;
  return [at, title].filter((part) => part !== '').join(' · ');
}

const place = ({ kind, season, episode, year }: Subject): string =>
  kind === 'episode' ? `${numbered(season)} ${numbered(episode)}` : numbered(year);
const numbered = (number: number | undefined): string => String(number ?? 0).padStart(6, '0');

const ARTICLES = new Set(['the', 'a', 'an']);
function sortable(title: string): string {
  const [first = '', ...rest] = foldName(title).split(' ');
  const bare = (rest.length > 0 && ARTICLES.has(first) ? rest : [first, ...rest]).join(' ');
  return bare.replaceAll(/\d{1,6}/g, (digits) => digits.padStart(6, '0'));
}
