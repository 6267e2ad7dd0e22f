/** The workbench: the lines beside the film and the waveform, what can be done to them, and applying it. */
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
import { language as nameOf } from '../lib/format.ts';
import { useDraft, type Draft, type Drafting } from '../parts/subtitles/draft/use-draft.ts';
import { asSentence } from '../parts/subtitles/words.ts';
import { Bar } from './bar.tsx';
import { FilmPane } from './film/film.tsx';
import { useFilm, type Film } from './film/use-film.ts';
import { Head } from './head.tsx';
import { useLeaveGuard } from './leave.ts';
import { List } from './list/list.tsx';
import { CleanupPanel } from './tools/cleanup-panel.tsx';
import { LinePanel } from './tools/line-panel.tsx';
import { SourcePanel } from './tools/source-panel.tsx';
import { TimingPanel } from './tools/timing-panel.tsx';
import { useActs } from './use-acts.tsx';
import { useBench, type Bench, type Panel } from './use-bench.ts';
import { NO_CHANGE, useWork, type Inspected, type Work } from './use-work.ts';
import { Waveform } from './wave/waveform.tsx';
import { base64, fileFault } from './work/file.ts';
import { HELP } from './work/keys.ts';
import type { Settings } from './work/settings.ts';
import { moved } from './work/timing.ts';
import css from './workbench.module.css';

const PANELS: readonly { id: Panel; label: string }[] = [
  { id: 'timing', label: 'Timing' },
  { id: 'cleanup', label: 'Clean-up' },
  { id: 'source', label: 'Source' },
  { id: 'line', label: 'Line' },
];

const mayLeave = () =>
  confirm({
    title: 'Leave without applying?',
    says: 'What you have set here is not written yet, and would be lost.',
    action: 'Leave',
    isDanger: true,
  });

/** Takes up a file that was chosen or dropped. */
function useImport(work: Work, onTaken: () => void) {
  return async (file: File): Promise<void> => {
    const fault = fileFault(file);
    if (fault !== undefined) return toast({ message: fault, isError: true });
    try {
      const data = base64(new Uint8Array(await file.arrayBuffer()));
      work.set((now) => ({ ...now, source: { kind: 'file', name: file.name, data } }));
      announce(`Took ${file.name}`);
      onTaken();
    } catch {
      toast({ message: 'This file could not be read. Choose it again', isError: true });
    }
    return undefined;
  };
}

/** A file that is dragged over the page, and dropped. */
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

interface ToolsProps {
  work: Work;
  bench: Bench;
  film: Film;
  drafting: Drafting;
  onFile: (file: File) => void;
  onDraft: (draft: Draft) => void;
}
const Tools = ({ work, bench, film, drafting, onFile, onDraft }: ToolsProps) => (
  <section className={css.tools} aria-label="Tools">
    <Tabs label="Tools" tabs={PANELS} value={bench.panel} onValue={(panel) => bench.setPanel(panel as Panel)}>
      {bench.panel === 'timing' && (
        <TimingPanel
          work={work}
          drafting={drafting}
          onHere={bench.row ? () => bench.anchorAt(film.time.get()) : undefined}
        />
      )}
      {bench.panel === 'cleanup' && <CleanupPanel work={work} />}
      {bench.panel === 'source' && <SourcePanel {...{ work, drafting, onFile, onDraft }} />}
      {bench.panel === 'line' && (
        <LinePanel
          row={bench.row}
          canEdit={work.canEdit}
          onEdit={bench.edit}
          onRemove={bench.remove}
          onKeep={bench.keep}
          onAdd={bench.add}
          onRight={() => {
            bench.readsRight();
            bench.toLine();
          }}
          onPlay={bench.playLine}
          language={work.language}
          now={film.time.get}
        />
      )}
    </Tabs>
  </section>
);

const Notices = ({ work }: { work: Work }) => (
  <div className={css.notices} aria-live="polite">
    {work.notice !== undefined && (
      <Notice tone="warn">
        {work.notice}{' '}
        <Button look="quiet" onClick={work.dismiss}>
          Understood
        </Button>
      </Notice>
    )}
    {work.blocked !== undefined && work.blocked !== NO_CHANGE && (
      <Notice tone={work.error === undefined ? 'warn' : 'danger'}>
        {work.blocked}{' '}
        {work.error !== undefined && (
          <Button look="quiet" onClick={work.again}>
            Try again
          </Button>
        )}
      </Notice>
    )}
  </div>
);

const Lines = ({ work, bench, film }: { work: Work; bench: Bench; film: Film }) => (
  <section className={css.lines} aria-label="Comparison">
    <Notices work={work} />
    {work.rows.length > 0 && <Bar work={work} bench={bench} />}
    {work.rows.length === 0 ? (
      <div className={css.empty}>
        <EmptyState
          title={`There is no ${nameOf(work.language)} subtitle yet`}
          action={
            <ButtonLink look="primary" to={{ page: 'subtitleItem', params: { id: work.id } }}>
              Fetch one
            </ButtonLink>
          }
        >
          {work.inspected.warnings.length > 0 && <p>{work.inspected.warnings.map(asSentence).join(' ')}</p>}
          Fetch one, or import a file or make a draft from the pictures or the speech of the film, under Source. Nothing
          is written before you apply.
        </EmptyState>
      </div>
    ) : bench.shown.length === 0 ? (
      <div className={css.empty}>
        <EmptyState
          title="No line fits"
          action={
            <Button
              onClick={() => {
                bench.setFilter('all');
                bench.setSearch('');
              }}
            >
              Show all lines
            </Button>
          }
        />
      </div>
    ) : (
      <List
        key={`${bench.filter}/${bench.search}`}
        isFresh={work.current.length === 0}
        language={work.language}
        rows={work.rows}
        shown={bench.shown}
        selected={bench.place}
        playing={film.isPlaying ? bench.playing : undefined}
        onSelect={bench.choose}
        onOpen={bench.open}
        onSeek={(by) => film.seek(film.time.get() + by)}
        reveal={bench.reveal}
      />
    )}
  </section>
);

const anchorTimes = ({ timing }: Settings): number[] =>
  timing.kind === 'anchors' ? timing.anchors.map(({ at }) => moved(timing, at) / 1000) : [];

export interface WorkbenchProps {
  id: string;
  language: string;
  inspected: Inspected;
  item: Reply<'subtitles', 'item'> | undefined;
  first: Settings;
}
export const Workbench = ({ id, language, inspected, item, first }: WorkbenchProps) => {
  const work = useWork({ id, language, inspected, first });
  const film = useFilm(id, inspected.duration);
  const acts = useActs(work);
  const bench = useBench(work, film, acts);
  const onDraft = (draft: Draft) =>
    draft.draftId !== undefined &&
    work.set((now) => ({
      ...now,
      source: { kind: 'draft', id: draft.draftId as string, method: draft.method },
      timing: { kind: 'none' },
    }));
  const drafting = useDraft(id, {
    onReady: (draft) =>
      toast({
        message: `The draft${draft.language && draft.language !== language ? ` in ${nameOf(draft.language)}` : ''} is ready, under Source`,
      }),
  });
  const onFile = useImport(work, () => bench.setPanel('timing'));
  const isOver = useDrop((file) => void onFile(file));
  useLeaveGuard(work.isDirty, mayLeave);
  const anchors = anchorTimes(work.settings);
  return (
    <div className={cx(css.page, isOver && css.over)}>
      <Head work={work} acts={acts} item={item} onHelp={() => bench.setHelp(true)} />
      <div className={css.film}>
        <FilmPane film={film} cues={work.proposed} language={language} title={inspected.title} />
      </div>
      <div className={css.wave}>
        <Waveform
          id={id}
          language={language}
          film={film}
          view={bench.view}
          current={work.current}
          proposed={work.proposed}
          selected={{ current: bench.row?.current[0]?.index, proposed: bench.row?.proposed[0]?.index }}
          anchors={anchors}
          onCue={bench.chooseCue}
          onMoved={bench.moveLine}
          onAnchor={bench.row ? bench.anchorAt : undefined}
        />
      </div>
      <Tools {...{ work, bench, film, drafting, onDraft }} onFile={(file) => void onFile(file)} />
      <Lines {...{ work, bench, film }} />
      {bench.isHelp && <KeyMap keys={HELP} onClose={() => bench.setHelp(false)} />}
      {isOver && (
        <div className={css.drop} aria-hidden="true">
          Drop the subtitle here
        </div>
      )}
    </div>
  );
};
