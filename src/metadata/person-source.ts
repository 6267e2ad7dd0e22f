/** Biographies and pictures of people at TMDB. */
import { z } from 'zod';
import type { PersonFacts } from '../catalog/index.ts';
import { createKeptPages, type KeptPagesNeeds, type OpenPageSource, readTranslated } from './kept-pages.ts';

const MAX_BIOGRAPHY_LENGTH = 20_000;
/** A portrait of 421 by 632 pixels. */
const PICTURE_SIZE = 'h632';

const text = z.string().max(MAX_BIOGRAPHY_LENGTH).nullish();
const PersonReply = z.object({
  biography: text,
  birthday: text,
  deathday: text,
  place_of_birth: text,
  imdb_id: text,
  profile_path: z.string().max(200).nullish(),
});
type PersonReply = z.output<typeof PersonReply>;
const StoredFacts = z.strictObject({
  biography: z.string().optional(),
  born: z.string().optional(),
  died: z.string().optional(),
  birthplace: z.string().optional(),
  imdb: z.string().optional(),
  picture: z.string().optional(),
});

const dayOf = (day: string | null | undefined): string | undefined =>
  day != null && /^\d{4}-\d{2}-\d{2}$/.test(day) ? day : undefined;
const textOf = (words: string | null | undefined): string | undefined => words?.trim() || undefined;

/** Returns the facts of a reply. Members that the service does not know are left out. */
export function personFactsOf(reply: PersonReply): PersonFacts {
  const facts = {
    biography: textOf(reply.biography),
    born: dayOf(reply.birthday),
    died: dayOf(reply.deathday),
    birthplace: textOf(reply.place_of_birth),
    imdb: /^nm\d{1,12}$/.test(reply.imdb_id ?? '') ? (reply.imdb_id ?? undefined) : undefined,
    picture: reply.profile_path ?? undefined,
  };
  const known = Object.entries(facts).filter(([, value]) => value !== undefined);
  return StoredFacts.parse(Object.fromEntries(known)) as PersonFacts;
}

export const createPersonSource = (needs: KeptPagesNeeds): OpenPageSource<PersonFacts> =>
  createKeptPages<PersonFacts>(
    {
      name: 'person',
      stored: StoredFacts as z.ZodType<PersonFacts>,
      pictureSize: PICTURE_SIZE,
      read: async (client, { id, language }, signal) => {
        const read = (spoken: string) =>
          client.read({ path: `/person/${id}`, query: { language: spoken }, shape: PersonReply }, signal);
        const found = await readTranslated(read, language, ({ biography }) => biography);
        return found ? personFactsOf({ ...found.page, biography: found.text }) : {};
      },
    },
    needs,
  );
