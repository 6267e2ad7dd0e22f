/** The source of the lines: the installed subtitle, a file, a draft or an edit; its character set and its role. */
import upload from 'lucide/dist/esm/icons/upload.mjs';
import { useRef } from 'preact/hooks';
import type { SUBTITLE_ENCODINGS } from '../../../contract/subtitles/change.ts';
import { Button } from '../../kit/forms/button.tsx';
import { Select } from '../../kit/forms/field.tsx';
import { facts, language as nameOf, many } from '../../lib/format.ts';
import { DraftProgress } from '../../parts/subtitles/draft/progress.tsx';
import { draftMethods, type Draft } from '../../parts/subtitles/draft/use-draft.ts';
import { sourceName } from '../../parts/subtitles/words.ts';
import { useWorkbench } from '../state/context.ts';
import type { Inspection } from '../state/types.ts';
import { ACCEPTED } from '../model/file.ts';
import { FRESH, type ChosenRole, type WorkbenchSettings } from '../model/settings.ts';
import css from './tools.module.css';

type Encoding = (typeof SUBTITLE_ENCODINGS)[number];
/** Named after the languages that they are used for. */
const ENCODINGS: readonly (readonly [Encoding, string])[] = [
  ['auto', 'Detect automatically'],
  ['utf-8', 'UTF-8'],
  ['utf-16le', 'UTF-16, little-endian'],
  ['utf-16be', 'UTF-16, big-endian'],
  ['windows-1252', 'Western European (windows-1252)'],
  ['iso-8859-15', 'Western European (iso-8859-15)'],
  ['macintosh', 'Western European (macintosh)'],
  ['windows-1250', 'Central European (windows-1250)'],
  ['iso-8859-2', 'Central European (iso-8859-2)'],
  ['iso-8859-16', 'Romanian (iso-8859-16)'],
  ['windows-1251', 'Cyrillic (windows-1251)'],
  ['koi8-r', 'Russian (koi8-r)'],
  ['koi8-u', 'Ukrainian (koi8-u)'],
  ['iso-8859-5', 'Cyrillic (iso-8859-5)'],
  ['ibm866', 'Cyrillic (ibm866)'],
  ['x-mac-cyrillic', 'Cyrillic (x-mac-cyrillic)'],
  ['windows-1253', 'Greek (windows-1253)'],
  ['iso-8859-7', 'Greek (iso-8859-7)'],
  ['windows-1254', 'Turkish (windows-1254)'],
  ['iso-8859-3', 'South European (iso-8859-3)'],
  ['windows-1255', 'Hebrew (windows-1255)'],
  ['iso-8859-8', 'Hebrew (iso-8859-8)'],
  ['windows-1256', 'Arabic (windows-1256)'],
  ['iso-8859-6', 'Arabic (iso-8859-6)'],
  ['windows-1257', 'Baltic (windows-1257)'],
  ['iso-8859-13', 'Baltic (iso-8859-13)'],
  ['iso-8859-4', 'Baltic (iso-8859-4)'],
  ['iso-8859-10', 'Nordic (iso-8859-10)'],
  ['iso-8859-14', 'Celtic (iso-8859-14)'],
  ['windows-1258', 'Vietnamese (windows-1258)'],
  ['windows-874', 'Thai (windows-874)'],
  ['gbk', 'Chinese, simplified (gbk)'],
  ['gb18030', 'Chinese, simplified (gb18030)'],
  ['big5', 'Chinese, traditional (big5)'],
  ['shift_jis', 'Japanese (shift_jis)'],
  ['euc-jp', 'Japanese (euc-jp)'],
  ['iso-2022-jp', 'Japanese (iso-2022-jp)'],
  ['euc-kr', 'Korean (euc-kr)'],
];
const ROLES: readonly { value: ChosenRole | ''; label: string }[] = [
  { value: '', label: 'Unchanged' },
  { value: 'normal', label: 'Full subtitle' },
  { value: 'forced', label: 'Forced: foreign dialogue only' },
  { value: 'sdh', label: 'SDH: for the deaf and hard of hearing' },
];

function sourceWords({ source }: WorkbenchSettings, inspected: Inspection): string {
  if (source.kind === 'file') return `The file ${source.name}`;
  if (source.kind === 'draft') return 'The draft';
  if (source.kind === 'text') return `Edited text, ${many(source.cues.length, 'line')}`;
  const { current, source: from } = inspected;
  return current
    ? facts('Installed subtitle', sourceName(from), current.format.toUpperCase(), current.encoding).join(' · ')
    : 'No subtitle installed';
}

export const SourcePanel = ({ onFile, onDraft }: { onFile: (file: File) => void; onDraft: (draft: Draft) => void }) => {
  const { session, drafting } = useWorkbench();
  const { id, language, installed } = session;
  const { settings, set } = session.steps;
  const input = useRef<HTMLInputElement>(null);
  const hasEncoding = settings.source.kind === 'installed' || settings.source.kind === 'file';
  return (
    <>
      <section aria-labelledby="source" className={css.part}>
        <h2 id="source">Source</h2>
        <p className={css.source}>{sourceWords(settings, installed.inspected)}</p>
        <div className={css.acts}>
          <input
            ref={input}
            type="file"
            accept={ACCEPTED}
            className="unseen"
            tabIndex={-1}
            aria-label="Subtitle file"
            onChange={(event) => {
              const [file] = event.currentTarget.files ?? [];
              if (file) onFile(file);
              // The same file may be chosen once more.
              event.currentTarget.value = '';
            }}
          />
          <Button icon={upload} onClick={() => input.current?.click()}>
            Import a file
          </Button>
          {settings.source.kind !== 'installed' && (
            <Button
              look="quiet"
              onClick={() => set((now) => ({ ...FRESH, timing: now.timing, rules: now.rules, role: now.role }))}
            >
              Use the installed subtitle
            </Button>
          )}
        </div>
        <p className="muted small">Or drop it anywhere on this page. Nothing is saved before you apply.</p>
      </section>
      <section aria-labelledby="drafts" className={css.part}>
        <h2 id="drafts">Create a draft</h2>
        {drafting.draft && drafting.draft.language === language && (
          <DraftProgress id={id} draft={drafting.draft} drafting={drafting} onReview={onDraft} />
        )}
        <ul className={css.methods}>
          {(['ocr', 'transcription'] as const).map((method) => (
            <li key={method}>
              <Button
                disabled={drafting.isRunning}
                isBusy={drafting.isBusy}
                onClick={() => void drafting.start(language, method)}
              >
                {draftMethods()[method].label}
              </Button>
              <span className="muted small">{draftMethods()[method].hint}</span>
            </li>
          ))}
        </ul>
        {drafting.isRunning && drafting.draft?.language !== undefined && drafting.draft.language !== language && (
          <p className="muted small">
            A draft in {nameOf(drafting.draft.language)} is being made. One is made at a time.
          </p>
        )}
      </section>
      <section aria-labelledby="reading" className={css.part}>
        <h2 id="reading">Format</h2>
        {hasEncoding && (
          <Select
            label="Character set"
            hint="Change this if letters look wrong."
            value={settings.encoding as Encoding}
            choices={ENCODINGS.map(([value, label]) => ({ value, label }))}
            onValue={(encoding) => set((now) => ({ ...now, encoding }))}
          />
        )}
        <Select
          label="Role"
          value={settings.role ?? ''}
          choices={ROLES}
          onValue={(role) => set((now) => ({ ...now, role: role === '' ? undefined : role }))}
        />
      </section>
    </>
  );
};
