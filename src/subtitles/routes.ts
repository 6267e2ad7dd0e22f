/** Subtitle endpoints, each tied to the operation that does it. */
import { type Actor, subtitles as endpoints } from '../contract/subtitles/library.ts';
import { workbench } from '../contract/subtitles/workbench.ts';
import { type Call, implement, type Mounted } from '../http/handle.ts';
import { Failure } from '../lib/failure.ts';
import { parseLanguage } from '../lib/languages.ts';
import type { Subtitles } from './index.ts';

const MOST_QUERY = 128;

/** Who asks, as the history has it. */
const actorOf = ({ by: { profile, name, via } }: Pick<Call, 'by'>): Actor => ({ is: via instanceof Set ? 'key' : 'person', profile, name });

/** A tag in its normal form: `eng` is `en`. The shape alone does not tell whether there is such a language. */
function known(given: string): string {
  const tag = parseLanguage(given);
  if (tag === undefined) throw new Failure('invalid', 'language: expected a language code');
  return tag;
}

const language = (given: string | undefined): string | undefined => (given === undefined ? undefined : known(given));

export const subtitleRoutes = (subtitles: Subtitles): Mounted[] => [
  ...implement(endpoints, {
    inventory: (query) => {
      if (query.q !== undefined && Buffer.byteLength(query.q) > MOST_QUERY) throw new Failure('invalid', 'q: at most 128 bytes');
      return subtitles.inventory({ ...query, language: language(query.language) });
    },
    item: ({ id }) => subtitles.item(id),
    fetchWanted: ({ language: given, ...asked }, { signal }) => subtitles.batches.fetchWanted({ ...asked, language: language(given) }, signal),
    maintain: ({ language: given, ...asked }, { signal }) => subtitles.batches.maintain({ ...asked, language: language(given) }, signal),
    fetch: ({ id, language: given }, call) => subtitles.fetch({ id, language: language(given), by: actorOf(call) }, call.signal),
    testProviders: (_given, { signal }) => subtitles.testProviders(signal),
  }),
  ...implement(workbench, {
    inspect: (asked, { signal }) => subtitles.workbench.inspect({ ...asked, language: known(asked.language) }, signal),
    export: async (asked, call) => {
      call.header('cache-control', 'private, no-store');
      return { ...(await subtitles.workbench.export({ ...asked, language: known(asked.language) }, call.signal)), cache: 'private, no-store' };
    },
    preview: (asked, { signal }) => subtitles.workbench.preview({ ...asked, language: known(asked.language) }, signal),
    apply: (asked, call) => subtitles.workbench.apply({ ...asked, language: known(asked.language), by: actorOf(call) }, call.signal),
    restore: (asked, call) => subtitles.workbench.restore({ ...asked, language: language(asked.language), by: actorOf(call) }, call.signal),
    replacement: (asked) => subtitles.workbench.setReplaceable({ ...asked, language: language(asked.language) }),
    draft: (asked) => subtitles.drafts.read({ ...asked, language: language(asked.language) }),
    startDraft: (asked, call) => {
      const given = { ...asked, language: known(asked.language) };
      if (given.action !== 'cancel') return subtitles.drafts.start(given);
      call.succeedAs(200);
      return subtitles.drafts.cancel(given);
    },
    audio: (asked, { signal }) => subtitles.audio({ ...asked, language: language(asked.language) }, { signal }),
    planCleanup: (asked, { signal }) => subtitles.cleanup.plan({ ...asked, languages: asked.languages.map(known) }, signal),
    cleanup: (asked, call) => subtitles.cleanup.apply({ ...asked, languages: asked.languages.map(known), by: actorOf(call) }, call.signal),
  }),
];
