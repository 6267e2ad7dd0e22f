/** Subtitle endpoints, each tied to the operation that does it. */
import { subtitleAudit } from '../contract/subtitles/audit.ts';
import { subtitles as endpoints } from '../contract/subtitles/library.ts';
import { type Actor } from '../contract/subtitles/states.ts';
import { wantedSubtitles } from '../contract/subtitles/wanted.ts';
import { workbench } from '../contract/subtitles/workbench.ts';
import { type Call, implement, type MountedEndpoint } from '../http/handle.ts';
import { Failure } from '../lib/failure.ts';
import type { Subtitles } from './index.ts';

const MAX_QUERY_BYTES = 128;

/** Returns who made a request, as the history records it. */
const actorOf = ({ by: { profile, name, via } }: Pick<Call, 'by'>): Actor => ({
  is: via instanceof Set ? 'key' : 'person',
  profile,
  name,
});

export const subtitleRoutes = (subtitles: Subtitles): MountedEndpoint[] => [
  ...implement(endpoints, {
    inventory: (query) => {
      if (query.q !== undefined && Buffer.byteLength(query.q) > MAX_QUERY_BYTES)
        throw new Failure('invalid', 'q: at most 128 bytes', { reason: 'field-invalid' });
      return subtitles.inventory(query);
    },
    item: ({ id }) => subtitles.item(id),
    fetchWanted: (asked, { signal }) => subtitles.batches.fetchWanted(asked, signal),
    maintain: (asked, { signal }) => subtitles.batches.maintain(asked, signal),
    fetch: ({ install: isInstalled, candidate, ...asked }, call) => {
      if (isInstalled !== false || candidate === undefined)
        return subtitles.fetch(
          { ...asked, ...(candidate !== undefined && { candidate }), by: actorOf(call) },
          call.signal,
        );
      call.succeedAs(200);
      return subtitles.workbench.open({ ...asked, candidate }, call.signal);
    },
    candidates: (asked, { signal }) => subtitles.workbench.candidates(asked, signal),
    testProviders: (_given, { signal }) => subtitles.testProviders(signal),
  }),
  ...implement(wantedSubtitles, {
    list: () => subtitles.batches.wanted.list(),
    save: (asked) => subtitles.batches.wanted.save(asked),
  }),
  ...implement(subtitleAudit, {
    list: (query) => subtitles.workbench.audit.list(query),
    preview: (asked, { signal }) => subtitles.workbench.audit.preview(asked, signal),
    fix: (asked, call) => subtitles.workbench.audit.fix({ ...asked, by: actorOf(call) }, call.signal),
    undo: (asked, call) => subtitles.workbench.audit.undo({ ...asked, by: actorOf(call) }, call.signal),
  }),
  ...implement(workbench, {
    inspect: (asked, { signal }) => subtitles.workbench.inspect(asked, signal),
    export: async (asked, call) => {
      call.header('cache-control', 'private, no-store');
      return { ...(await subtitles.workbench.export(asked, call.signal)), cache: 'private, no-store' };
    },
    preview: (asked, { signal }) => subtitles.workbench.preview(asked, signal),
    apply: (asked, call) => subtitles.workbench.apply({ ...asked, by: actorOf(call) }, call.signal),
    restore: (asked, call) => subtitles.workbench.restore({ ...asked, by: actorOf(call) }, call.signal),
    installed: (asked) => subtitles.workbench.installed(asked),
    deleteInstalled: (asked, call) => subtitles.workbench.deleteInstalled({ ...asked, by: actorOf(call) }, call.signal),
    replacement: (asked) => subtitles.workbench.setReplaceable(asked),
    draft: (asked) => subtitles.drafts.read(asked),
    startDraft: (asked, call) => {
      if (asked.action !== 'cancel') return subtitles.drafts.start(asked);
      call.succeedAs(200);
      return subtitles.drafts.cancel(asked);
    },
    audio: (asked, { signal }) => subtitles.workbench.audio(asked, { signal }),
    planCleanup: (asked, { signal }) => subtitles.cleanup.plan(asked, signal),
    cleanup: (asked, call) => subtitles.cleanup.apply({ ...asked, by: actorOf(call) }, call.signal),
  }),
];
