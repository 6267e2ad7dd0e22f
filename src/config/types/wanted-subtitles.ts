/** The subtitles that a household wants: `[{"language":"en"},{"language":"de","kind":"sdh","library":"Films"}]`. */
import { z } from 'zod';
import { SUBTITLE_ROLES } from '../../contract/catalog/subtitle-roles.ts';
import { parseLanguage } from '../../lib/languages.ts';
import { hasControl, parseList } from './basic.ts';
import { refuse, refuseClash, type ValueType } from '../setting.ts';

export interface WantedSubtitleSetting {
  /** Missing in an entry that says that its library wants no subtitles. */
  readonly language?: string;
  /** Default: a regular subtitle. */
  readonly kind?: (typeof SUBTITLE_ROLES)[number];
  /** Name or id of the only library that the entry is for. */
  readonly library?: string;
}

const MAX_ENTRIES = 200;
const MAX_LIBRARY_LENGTH = 64;
const Entry = z.strictObject({
  language: z.string().optional(),
  kind: z.enum(SUBTITLE_ROLES).optional(),
  library: z.string().optional(),
});

export const wantedEntries: ValueType<readonly WantedSubtitleSetting[]> = {
  kind: 'list',
  says:
    `JSON list of at most ${MAX_ENTRIES} objects with language, kind (${SUBTITLE_ROLES.join(', ')}) and library; ` +
    'kind and library may be left out',
  parse(given) {
    const found = parseList(given, MAX_ENTRIES).map((entry, at) => readEntry(entry, at + 1));
    const keys = found.map(({ language, kind = 'normal', library }) => JSON.stringify([library, language, kind]));
    if (new Set(keys).size !== keys.length) refuseClash('must not name the same subtitle twice');
    return found;
  },
  format: (value) => JSON.stringify(value),
};

function readEntry(entry: unknown, at: number): WantedSubtitleSetting {
  const read = Entry.safeParse(entry);
  if (!read.success)
    refuse(`entry ${at} must have language, kind (${SUBTITLE_ROLES.join(', ')}) and library, and no other member`);
  const { language, kind, library } = read.data;
  const tag = language === undefined ? undefined : parseLanguage(language);
  if (language !== undefined && tag === undefined) refuse(`entry ${at} must have a language tag such as en or pt-br`);
  if (language === undefined && (library === undefined || kind !== undefined))
    refuse(`entry ${at} must have a language, or only a library that wants no subtitles`);
  const name = library?.trim();
  if (name !== undefined && (name === '' || [...name].length > MAX_LIBRARY_LENGTH || hasControl(name)))
    refuse(`entry ${at} must have the name or the id of a library`);
  return {
    ...(tag !== undefined && { language: tag }),
    ...(kind !== undefined && kind !== 'normal' && { kind }),
    ...(name !== undefined && { library: name }),
  };
}
