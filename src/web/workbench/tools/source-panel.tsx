/** The source of the lines: the installed subtitle, a file, a draft or an edit; its character set and its role. */
import upload from 'lucide/dist/esm/icons/upload.mjs';
import { useRef } from 'preact/hooks';
import type { SUBTITLE_ENCODINGS } from '../../../contract/subtitles/encodings.ts';
import { Button } from '../../kit/forms/button.tsx';
import { Select } from '../../kit/forms/field.tsx';
import { facts, languageLabel as nameOf } from '../../lib/format.ts';
import { DraftProgress } from '../../parts/subtitles/draft/progress.tsx';
import { draftMethods, type DraftReport } from '../../parts/subtitles/draft/use-draft.ts';
import { sourceName } from '../../parts/subtitles/words.ts';
import { useWorkbench } from '../state/context.ts';
import type { Inspection } from '../state/types.ts';
import { ACCEPTED } from '../model/file.ts';
import { FRESH, type ChosenRole, type WorkbenchSettings } from '../model/settings.ts';
import css from './tools.module.css';
import { workbenchWords as m } from '../../messages/workbench.ts';

type Encoding = (typeof SUBTITLE_ENCODINGS)[number];
/** Named after the languages that they are used for. */
const encodingNames = (): readonly (readonly [Encoding, string])[] => [
  ['auto', m.detectAutomatically],
  ['utf-8', 'UTF-8'],
  ['utf-16le', 'UTF-16, little-endian'],
  ['utf-16be', 'UTF-16, big-endian'],
  ['windows-1252', m.westernEuropeanWindows1252],
  ['iso-8859-15', m.westernEuropeanIso885915],
  ['macintosh', m.westernEuropeanMacintosh],
  ['windows-1250', m.centralEuropeanWindows1250],
  ['iso-8859-2', m.centralEuropeanIso88592],
  ['iso-8859-16', m.romanianIso885916],
  ['windows-1251', m.cyrillicWindows1251],
  ['koi8-r', m.russianKoi8R],
  ['koi8-u', m.ukrainianKoi8U],
  ['iso-8859-5', m.cyrillicIso88595],
  ['ibm866', m.cyrillicIbm866],
  ['x-mac-cyrillic', m.cyrillicXMacCyrillic],
  ['windows-1253', m.greekWindows1253],
  ['iso-8859-7', m.greekIso88597],
  ['windows-1254', m.turkishWindows1254],
  ['iso-8859-3', m.southEuropeanIso88593],
  ['windows-1255', m.hebrewWindows1255],
  ['iso-8859-8', m.hebrewIso88598],
  ['windows-1256', m.arabicWindows1256],
  ['iso-8859-6', m.arabicIso88596],
  ['windows-1257', m.balticWindows1257],
  ['iso-8859-13', m.balticIso885913],
  ['iso-8859-4', m.balticIso88594],
  ['iso-8859-10', m.nordicIso885910],
  ['iso-8859-14', m.celticIso885914],
  ['windows-1258', m.vietnameseWindows1258],
  ['windows-874', m.thaiWindows874],
  ['gbk', m.chineseSimplifiedGbk],
  ['gb18030', m.chineseSimplifiedGb18030],
  ['big5', m.chineseTraditionalBig5],
  ['shift_jis', m.japaneseShiftJis],
  ['euc-jp', m.japaneseEucJp],
  ['iso-2022-jp', m.japaneseIso2022Jp],
  ['euc-kr', m.koreanEucKr],
];
const roleChoices = (): readonly { value: ChosenRole | ''; label: string }[] => [
  { value: '', label: m.unchanged },
  { value: 'normal', label: m.fullSubtitle },
  { value: 'forced', label: m.forcedForeignDialogueOnly },
  { value: 'sdh', label: m.sdhForTheDeafAnd },
];

function sourceWords({ source }: WorkbenchSettings, inspected: Inspection): string {
  if (source.kind === 'file') return m.theFile({ name: source.name });
  if (source.kind === 'draft') return m.theDraft;
  if (source.kind === 'text') return m.editedText({ count: m.linesCount({ count: source.cues.length }) });
  const { current, unreadable, source: from } = inspected;
  if (unreadable) return m.theInstalledSubtitleCannotBeRead;
  return current
    ? facts(m.installedSubtitle, sourceName(from), current.format.toUpperCase(), current.encoding).join(' · ')
    : m.noSubtitleInstalled;
}

export const SourcePanel = ({
  onFile,
  onDraft,
}: {
  onFile: (file: File) => void;
  onDraft: (draft: DraftReport) => void;
}) => {
  const { session, drafting } = useWorkbench();
  const { language, installed } = session;
  const { settings, set } = session.steps;
  const input = useRef<HTMLInputElement>(null);
  const hasEncoding = settings.source.kind === 'installed' || settings.source.kind === 'file';
  return (
    <>
      <section aria-labelledby="source" className={css.part}>
        <h2 id="source">{m.source}</h2>
        <p className={css.source}>{sourceWords(settings, installed.inspected)}</p>
        <div className={css.acts}>
          <input
            ref={input}
            type="file"
            accept={ACCEPTED}
            className="unseen"
            tabIndex={-1}
            aria-label={m.subtitleFile}
            onChange={(event) => {
              const [file] = event.currentTarget.files ?? [];
              if (file) onFile(file);
              // The same file may be chosen once more.
              event.currentTarget.value = '';
            }}
          />
          <Button icon={upload} onClick={() => input.current?.click()}>
            {m.importAFile}
          </Button>
          {settings.source.kind !== 'installed' && (
            <Button
              look="quiet"
              onClick={() => set((now) => ({ ...FRESH, timing: now.timing, rules: now.rules, role: now.role }))}
            >
              {m.useTheInstalledSubtitle}
            </Button>
          )}
        </div>
        <p className="muted small">{m.orDropItAnywhereOn}</p>
      </section>
      <section aria-labelledby="drafts" className={css.part}>
        <h2 id="drafts">{m.createADraft}</h2>
        {drafting.draft && drafting.draft.language === language && (
          <DraftProgress of={session} draft={drafting.draft} drafting={drafting} onReview={onDraft} />
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
          <p className="muted small">{m.aDraftInIsBeing({ language: nameOf(drafting.draft.language) })}</p>
        )}
      </section>
      <section aria-labelledby="reading" className={css.part}>
        <h2 id="reading">{m.format}</h2>
        {hasEncoding && (
          <Select
            label={m.characterSetLabel}
            hint={m.changeThisIfLettersLook}
            value={settings.encoding as Encoding}
            choices={encodingNames().map(([value, label]) => ({ value, label }))}
            onValue={(encoding) => set((now) => ({ ...now, encoding }))}
          />
        )}
        <Select
          label={m.roleLabel}
          value={settings.role ?? ''}
          choices={roleChoices()}
          onValue={(role) => set((now) => ({ ...now, role: role === '' ? undefined : role }))}
        />
      </section>
    </>
  );
};
