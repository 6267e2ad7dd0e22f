/** Subtitle endpoints, each tied to the operation that does it. */
import { subtitles as endpoints } from '../contract/subtitles.ts';
import { implement, type Mounted } from '../http/handle.ts';
import { Failure } from '../lib/failure.ts';
import { parseLanguage } from '../lib/languages.ts';
import type { Subtitles } from './index.ts';

const MOST_QUERY = 128;

/** A tag in its normal form: `eng` is `en`. The shape alone does not tell whether there is such a language. */
function language(given: string | undefined): string | undefined {
  const tag = given === undefined ? undefined : parseLanguage(given);
  if (given !== undefined && tag === undefined) throw new Failure('invalid', 'language: expected a language code');
  return tag;
}

export const subtitleRoutes = (subtitles: Subtitles): Mounted[] =>
  implement(endpoints, {
    inventory: (query) => {
      if (query.q !== undefined && Buffer.byteLength(query.q) > MOST_QUERY) throw new Failure('invalid', 'q: at most 128 bytes');
      return subtitles.inventory({ ...query, language: language(query.language) });
    },
    fetch: ({ id, language: given }, { signal }) => subtitles.fetch({ id, language: language(given) }, signal),
    testProviders: (_given, { signal }) => subtitles.testProviders(signal),
  });
