/**
 * What stands there for an item and a language: which of its files or tracks is meant, and the bytes it has now.
 *
 * Of several the one that counts is meant: text before pictures, a file before a track inside the video, this very
 * language before a variant of it, one that says its language before one that says none. Hidden files are none.
 */
import type { CatalogBackground, PlayableFile, Subject } from '../../catalog/index.ts';
import type { Evidence } from '../../contract/subtitles/library.ts';
import { Failure } from '../../lib/failure.ts';
import { inRoot, readBounded, type Root } from '../../lib/files.ts';
import { covers } from '../../lib/languages.ts';
import { counts } from '../inventory/coverage.ts';
import type { Track } from '../store/rows.ts';
import { mainFile, tracksIn } from '../inventory/item.ts';
import type { InstalledFile } from '../store/rows.ts';
import type { Role } from '../store/tables.ts';
import { selfOf } from '../history/lineage.ts';
import { contentOf, MOST_BYTES } from '../history/preserved.ts';
import type { InstallingStore } from '../store/installing.ts';

export interface StandingNeeds {
  catalog: Pick<CatalogBackground, 'subject' | 'root' | 'libraries' | 'sidecarsChanged'>;
  installing: Pick<InstallingStore, 'filesOf'>;
  /** The configured languages, the first one first. */
  languages(): readonly string[];
}

export interface Standing {
  subject: Subject;
  file: PlayableFile;
  root: Root;
  /** As asked. */
  language: string;
  /** Of what stands there, or as asked. */
  tag: string;
  role: Role;
  /** The role that was asked for. */
  asked?: Role;
  /** The text that is meant; left out when there is none. */
  track?: Track;
  /** Pictures in this language, where there is no text. */
  pictures?: Track;
  /** A file beside the video, and its bytes. */
  installed?: { relative: string; bytes: Buffer; content: string };
  /** What is known of these very bytes. */
  row?: InstalledFile;
  /** Everything that was written or put back for this item, the newest first. */
  rows: readonly InstalledFile[];
  fingerprint: string;
  source: string;
  evidence: Evidence[];
}

/** Of what stands there, what the reckoning of a change looks at: plain data, without the bytes. */
export interface Spot extends Pick<Standing, 'file' | 'language' | 'tag' | 'role' | 'track' | 'pictures'> {
  installed?: Pick<NonNullable<Standing['installed']>, 'relative' | 'content'>;
  /** Somebody deleted or changed what was written here, and it can be brought back. */
  isGone?: boolean;
}

/** What another process is given of it. */
export function spotOf(standing: Standing): Spot {
  const { file, language, tag, role, track, pictures, installed } = standing;
  const back = rowBack(standing);
  const isGone = back !== undefined && back.isGone && selfOf(back.row) !== undefined;
  return {
    file,
    language,
    tag,
    role,
    isGone,
    ...(track && { track }),
    ...(pictures && { pictures }),
    ...(installed && { installed: { relative: installed.relative, content: installed.content } }),
  };
}

/**
 * Fails as `missing` without such an item, as `unavailable` when it cannot be reached, as `conflict` when its file
 * cannot be read.
 */
/** Which subtitle of an item is meant. */
export interface Which {
  language: string;
  /** Left out: the one that counts, the regular one before the one for the hard of hearing, and a forced one last. */
  role?: Role | undefined;
}

export async function lookAt(needs: StandingNeeds, id: string, { language, role: asked }: Which): Promise<Standing> {
  const { subject, file } = await subjectOf(needs, id);
  const root = await needs.catalog.root(file.root);
  const meant = pick(tracksIn(subject, file), { language, role: asked }, needs.languages()[0]);
  const rows = await needs.installing.filesOf([id]);
  const nothing = {
    subject,
    file,
    root,
    language,
    tag: language,
    role: asked ?? ('normal' as const),
    ...(asked && { asked }),
    rows,
    fingerprint: 'missing',
    source: 'none',
    evidence: [],
  };
  if (!meant) return nothing;
  const { role } = meant;
  const tag = meant.language ?? language;
  if (meant.picture) return { ...nothing, pictures: meant };
  if (meant.source === 'embedded') {
    return {
      ...nothing,
      tag,
      role,
      track: meant,
      source: 'embedded',
      evidence: [{ kind: 'embedded', detail: 'a text track of this video', points: 100 }],
    };
  }
  const relative = meant.relative ?? '';
  const bytes = await readBounded(inRoot(root, relative), MOST_BYTES);
  const content = contentOf(bytes);
  const row =
    rows.find((one) => one.content === content && one.relative === relative) ??
    rows.find((one) => one.content === content);
  const ours = row?.origin === 'own' ? undefined : row;
  return {
    ...nothing,
    tag,
    role,
    track: meant,
    installed: { relative, bytes, content },
    fingerprint: content,
    ...(row && { row }),
    source: ours?.source ?? 'sidecar',
    evidence: [...(ours?.evidence ?? [])],
  };
}

/**
 * The row by which there is a way back: of these very bytes; or of a file of that name and role that was changed by
 * hand since; or where nothing stands beside the video, of one that was removed by hand.
 */
export function rowBack({
  row,
  rows,
  installed,
  role,
  asked,
  tag,
  language,
  subject,
}: Standing): { row: InstalledFile; isGone: boolean } | undefined {
  if (row) return { row, isGone: false };
  const there = new Set(subject.sidecars.map(({ relative }) => relative));
  const isMeant = (one: InstalledFile): boolean =>
    (installed || asked ? one.role === role : true) && (installed !== undefined || !there.has(one.relative));
  const found = rows
    .filter((one) => (one.language === tag || one.language === language) && isMeant(one))
    .toSorted((a, b) => ROLES.indexOf(a.role) - ROLES.indexOf(b.role))[0];
  return found && { row: found, isGone: found.relative === installed?.relative || !there.has(found.relative) };
}

async function subjectOf({ catalog }: StandingNeeds, id: string): Promise<{ subject: Subject; file: PlayableFile }> {
  const subject = await catalog.subject(id);
  const file = subject && mainFile(subject);
  const library = file && catalog.libraries().find((one) => one.id === file.library);
  if (!subject || subject.gone || !file || !library)
    throw new Failure('missing', 'no such film or episode', { reason: 'no-such-item' });
  if (!subject.available || !library.isOnline)
    throw new Failure('unavailable', 'the library of this item cannot be reached now', { reason: 'library-offline' });
  return { subject, file };
}

/** The same, once more when the file that the last scan saw is not there any more. */
export async function lookNow(needs: StandingNeeds, id: string, which: Which): Promise<Standing> {
  try {
    return await lookAt(needs, id, which);
  } catch (error) {
    if (!(error instanceof Failure) || error.kind !== 'missing' || error.reason === 'no-such-item') throw error;
    await needs.catalog.sidecarsChanged(id);
    return lookAt(needs, id, which).catch((again: unknown) => {
      throw again instanceof Failure && again.kind === 'missing'
        ? new Failure('conflict', 'the subtitle that was there is gone', { reason: 'subtitle-changed' })
        : again;
    });
  }
}

/** Roles in the order in which a file of a language is taken when none is named. */
export const ROLES: readonly Role[] = ['normal', 'sdh', 'forced'];

/** Picks the track that is meant. `first` is the first configured language. */
export function pick(
  tracks: readonly Track[],
  { language, role }: Which,
  first: string | undefined,
): Track | undefined {
  const isIn = (track: Track): boolean =>
    track.language === undefined ? track.source === 'sidecar' && language === first : covers(track.language, language);
  const weight = (track: Track): number =>
    (track.picture ? 0 : 64) +
    (counts(track) ? 32 : 0) +
    (track.commentary ? 0 : 16) +
    (track.source === 'sidecar' ? 8 : 0) +
    (track.language === language ? 4 : 0) +
    (track.language === undefined ? 0 : 2) +
    (track.role === 'normal' ? 1 : 0);
  return tracks
    .filter((track) => !track.hidden && (role === undefined || track.role === role) && isIn(track))
    .toSorted((a, b) => weight(b) - weight(a) || ((a.relative ?? '') < (b.relative ?? '') ? -1 : 1))[0];
}
