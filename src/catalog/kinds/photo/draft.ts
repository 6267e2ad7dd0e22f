/** Drafts a photo or a clip from its files. */
import type { FilesOfItem, PlacedDraft, PlacedFile, PlacementTools } from '../../core/scan/placement.ts';
import { joined } from '../../core/paths.ts';
import { codecsOf, dynamicRangeOf, languagesOf, resolutionOf } from '../../probe/media-facts.ts';
import { defined } from '../video/facts.ts';
import { stemOf } from '../../naming/text.ts';
import type { PhotoGuess } from './names.ts';
import { takenAt } from './time.ts';

type PhotoFile = PlacedFile<PhotoGuess>;

const MS_PER_DAY = 86_400_000;
/** The clip of a live photo takes three seconds. */
const MAX_MOTION_SECONDS = 10;
/** The text after the `xmp` packet of a sidecar is not read. */
const MAX_SIDECAR = 256 * 1024;

/** A clip belongs to a picture if both have one identifier, or if neither has and it is as short as such clips are. */
export function isSamePhoto(a: PhotoFile, b: PhotoFile): boolean {
  const clip = [a, b].find(({ guess }) => guess.role === 'clip');
  const other = clip === a ? b : a;
  if (!clip) return true;
  const [own, its] = [clip.info?.capture?.pair, other.info?.capture?.pair];
  if (own !== undefined && its !== undefined) return own === its;
  return clip.info?.duration === undefined || clip.info.duration <= MAX_MOTION_SECONDS;
}

/** Pictures that everything shows come first, then raw files, then clips. */
const ROLES: readonly PhotoGuess['role'][] = ['picture', 'raw', 'clip'];

export async function draftPhoto(
  { key, files, view }: FilesOfItem<PhotoGuess>,
  { views }: PlacementTools,
): Promise<PlacedDraft> {
  const sorted = files.toSorted((a, b) => ROLES.indexOf(a.guess.role) - ROLES.indexOf(b.guess.role));
  const [lead] = sorted as [PhotoFile, ...PhotoFile[]];
  const { row, info } = lead;
  const title = stemOf(row.name) || row.name;
  const captures = sorted.map((file) => file.info?.capture);
  const taken = await takenAt(captures, {
    name: row.name,
    modifiedMs: row.mtime,
    sidecar: async () => (await views.text(view, [`${row.name}.xmp`, `${title}.xmp`]))?.slice(0, MAX_SIDECAR),
  });
  const isClip = lead.guess.role === 'clip';
  const hasPicture = lead.guess.role === 'picture' || info?.capture?.preview !== undefined;
  const camera = captures.find((one) => one?.camera !== undefined)?.camera;
  return {
    key,
    draft: {
      kind: isClip ? 'video' : 'photo',
      title,
      sortTitle: `${taken.local} ${title}`.toLowerCase(),
      year: Number(taken.local.slice(0, 4)),
      released: Math.floor(Date.parse(`${taken.local.slice(0, 10)}T00:00:00Z`) / MS_PER_DAY),
      ...(isClip && defined({ duration: info?.duration, resolution: resolutionOf(info), hdr: dynamicRangeOf(info) })),
      ...(camera !== undefined && { camera }),
      folder: row.folder,
      genres: [],
      languages: isClip ? languagesOf(info) : [],
      codecs: isClip ? codecsOf([info]) : [],
      images: hasPicture ? { thumb: { at: joined(row.folder, row.name), s: row.size, m: row.mtime } } : {},
      confidence: 1,
      detail: { studios: [], people: [], ids: {}, evidence: [], taken },
    },
  };
}
