/**
 * The workbench: edits one subtitle with the film, its waveform and the lines side by side. Nothing is written before
 * it is applied.
 *
 * `state/` holds what the parts share, `model/` is the arithmetic (pure), and `header/`, `film/`, `waveform/`, `tools/`
 * and
 * `lines/` are the parts on screen.
 */
import { useEffect, useState } from 'preact/hooks';
import { announce } from '../lib/announce.ts';
import type { Reply } from '../data/query.ts';
import { Button, ButtonLink } from '../kit/forms/button.tsx';
import { confirm } from '../kit/layers/confirm.tsx';
import { KeyMap } from '../kit/layers/key-map.tsx';
import { toast } from '../kit/layers/toast.tsx';
import { EmptyState, Notice } from '../kit/states/states.tsx';
import { Tabs } from '../kit/states/tabs.tsx';
import { cx } from '../lib/cx.ts';
import { languageLabel as nameOf } from '../lib/format.ts';
import { useDraft, type DraftReport } from '../parts/subtitles/draft/use-draft.ts';
import { asSentence } from '../parts/subtitles/words.ts';
import { FilmPane } from './film/film.tsx';
import { useFilm } from './film/use-film.ts';
import { Header } from './header/header.tsx';
import { useLeaveGuard } from './header/leave-guard.ts';
import { LineList } from './lines/list.tsx';
import { Summary } from './lines/summary.tsx';
import { base64, fileFault } from './model/file.ts';
import { workbenchKeys } from './model/keys.ts';
import type { ChosenRole, WorkbenchSettings } from './model/settings.ts';
import { useWorkbench, useWorkbenchState, WorkbenchContext } from './state/context.ts';
import type { WorkbenchPanel } from './state/selection.ts';
import type { Steps } from './state/steps.ts';
import { useApply } from './state/use-apply.tsx';
import type { Inspection } from './state/types.ts';
import { noChange, useSession } from './state/use-session.ts';
import { useWorkbenchShortcuts } from './state/use-shortcuts.ts';
import { CleanupPanel } from './tools/cleanup-panel.tsx';
import { LinePanel } from './tools/line-panel.tsx';
import { SourcePanel } from './tools/source-panel.tsx';
import { TimingPanel } from './tools/timing-panel.tsx';
import { Waveform } from './waveform/waveform.tsx';
import css from './workbench.module.css';
import { workbenchWords as m } from '../messages/workbench.ts';
import { warningTexts } from '../messages/server-warnings.ts';

const panelTabs = (): readonly { id: WorkbenchPanel; label: string }[] => [
  { id: 'timing', label: m.timing },
  { id: 'cleanup', label: m.cleanUp },
  { id: 'source', label: m.source },
  { id: 'line', label: m.line },
];

const mayLeave = () =>
  confirm({
    title: m.leaveWithoutApplying,
    says: m.yourChangesAreNotApplied,
    action: m.leave,
    isDanger: true,
  });

/** Takes a chosen or dropped file as the source. */
function useImport(steps: Steps, onTaken: () => void) {
  return async (file: File): Promise<void> => {
    const fault = fileFault(file);
    if (fault !== undefined) return toast({ message: fault, isError: true });
    try {
      const data = base64(new Uint8Array(await file.arrayBuffer()));
      steps.set((now) => ({ ...now, source: { kind: 'file', name: file.name, data } }));
      announce(m.imported({ name: file.name }));
      onTaken();
    } catch {
      toast({ message: m.thisFileCouldNotBe, isError: true });
    }
    return undefined;
  };
}

/** Calls `take` with a file that is dropped on the page. Returns whether one is dragged over it. */
function useDrop(take: (file: File) => void): boolean {
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    const hasFile = (event: DragEvent) => [...(event.dataTransfer?.types ?? [])].includes('Files');
    const over = (event: DragEvent) => {
      if (!hasFile(event)) return;
      event.preventDefault();
      setOver(true);
    };
    const leave = (event: DragEvent) => event.relatedTarget === null && setOver(false);
    const drop = (event: DragEvent) => {
      if (!hasFile(event)) return;
      event.preventDefault();
      setOver(false);
      const [file] = event.dataTransfer?.files ?? [];
      if (file) take(file);
    };
    addEventListener('dragover', over);
    addEventListener('dragleave', leave);
    addEventListener('drop', drop);
    return () => {
      removeEventListener('dragover', over);
      removeEventListener('dragleave', leave);
      removeEventListener('drop', drop);
    };
  });
  return isOver;
}

/** Takes a draft as the source. */
const draftSource =
  (draftId: string, method: string | undefined) =>
  (now: WorkbenchSettings): WorkbenchSettings => ({
    ...now,
    source: { kind: 'draft', id: draftId, method },
    timing: { kind: 'none' },
  });

const Tools = ({ onFile }: { onFile: (file: File) => void }) => {
  const { session, selection, select } = useWorkbench();
  const onDraft = ({ draftId, method }: DraftReport) =>
    draftId !== undefined && session.steps.set(draftSource(draftId, method));
  return (
    <section className={css.tools} aria-label={m.tools}>
      <Tabs
        label={m.tools}
        tabs={panelTabs()}
        value={selection.panel}
        onValue={(panel) => select({ type: 'panel', panel: panel as WorkbenchPanel })}
      >
        {selection.panel === 'timing' && <TimingPanel />}
        {selection.panel === 'cleanup' && <CleanupPanel />}
        {selection.panel === 'source' && <SourcePanel onFile={onFile} onDraft={onDraft} />}
        {selection.panel === 'line' && <LinePanel />}
      </Tabs>
    </section>
  );
};

const Notices = () => {
  const { installed, preview } = useWorkbench().session;
  return (
    <div className={css.notices} aria-live="polite">
      {installed.notice !== undefined && (
        <Notice tone="warn">
          {installed.notice}{' '}
          <Button look="quiet" onClick={installed.dismissNotice}>
            {m.ok}
          </Button>
        </Notice>
      )}
      {preview.blocked !== undefined && preview.blocked !== noChange() && (
        <Notice tone={preview.error === undefined ? 'warn' : 'danger'}>
          {preview.blocked}{' '}
          {preview.error !== undefined && (
            <Button look="quiet" onClick={preview.retry}>
              {m.tryAgain}
            </Button>
          )}
        </Notice>
      )}
    </div>
  );
};

const NoSubtitle = () => {
  const { id, part, language, installed } = useWorkbench().session;
  const { unreadable } = installed.inspected;
  const warnings = warningTexts(installed.inspected);
  if (unreadable)
    return (
      <div className={css.empty}>
        <EmptyState title={m.theInstalledSubtitleCannotBeRead}>
          <p>{warnings.map(asSentence).join(' ')}</p>
          {m.importAnotherOverIt}
        </EmptyState>
      </div>
    );
  return (
    <div className={css.empty}>
      <EmptyState
        title={m.thereIsNoSubtitleYet({ language: nameOf(language) })}
        action={
          <ButtonLink look="primary" to={{ page: 'subtitleItem', params: { id }, query: { part } }}>
            {m.fetchSubtitle}
          </ButtonLink>
        }
      >
        {warnings.length > 0 && <p>{warnings.map(asSentence).join(' ')}</p>}
        {m.fetchOneImportAFile}
      </EmptyState>
    </div>
  );
};

const NoMatch = () => {
  const { select } = useWorkbench();
  return (
    <div className={css.empty}>
      <EmptyState
        title={m.noMatchingLines}
        action={<Button onClick={() => select({ type: 'showAll' })}>{m.showAllLines}</Button>}
      />
    </div>
  );
};

const Lines = () => {
  const { session, selection } = useWorkbench();
  const isEmpty = session.lines.rows.length === 0;
  return (
    <section className={css.lines} aria-label={m.comparison}>
      <Notices />
      {!isEmpty && <Summary />}
      {isEmpty ? (
        <NoSubtitle />
      ) : selection.shown.length === 0 ? (
        <NoMatch />
      ) : (
        <LineList key={`${selection.filter}/${selection.search}`} />
      )}
    </section>
  );
};

export interface WorkbenchProps {
  id: string;
  /** The part of a film in several files that is edited. */
  part: number | undefined;
  language: string;
  /** The file of the language that is edited. Undefined: the first one. */
  role: ChosenRole | undefined;
  inspected: Inspection;
  item: Reply<'subtitles', 'item'> | undefined;
  first: WorkbenchSettings;
}
export const SubtitleWorkbench = ({ id, part, language, role, inspected, item, first }: WorkbenchProps) => {
  const session = useSession({ id, part, language, role, inspected, first });
  const film = useFilm({ id, part }, inspected.duration);
  const apply = useApply(session);
  const drafting = useDraft(
    { id, part },
    {
      onReady: (draft) =>
        toast({
          message:
            draft.language && draft.language !== language
              ? m.theDraftInIsReady({ language: nameOf(draft.language) })
              : m.theDraftIsReadyUnder,
        }),
    },
  );
  const state = useWorkbenchState({ session, item, film, apply, drafting });
  const { selection, select } = state;
  useWorkbenchShortcuts(state);
  const onFile = useImport(session.steps, () => select({ type: 'panel', panel: 'timing' }));
  const isOver = useDrop((file) => void onFile(file));
  useLeaveGuard(session.isDirty, mayLeave);
  return (
    <WorkbenchContext.Provider value={state}>
      <div className={cx(css.page, isOver && css.over)}>
        <Header />
        <div className={css.film}>
          <FilmPane />
        </div>
        <div className={css.wave}>
          <Waveform />
        </div>
        <Tools onFile={(file) => void onFile(file)} />
        <Lines />
        {selection.isHelpOpen && (
          <KeyMap keys={workbenchKeys()} onClose={() => select({ type: 'help', isOpen: false })} />
        )}
        {isOver && (
          <div className={css.drop} aria-hidden="true">
            {m.dropTheSubtitleHere}
          </div>
        )}
      </div>
    </WorkbenchContext.Provider>
  );
};
