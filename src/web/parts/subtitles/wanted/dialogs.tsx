/** The dialogs that change what is wanted: in general, and in one library. */
import { useState } from 'preact/hooks';
import { call } from '../../../data/client.ts';
import { readAgain } from '../../../data/query.ts';
import { Segments } from '../../../kit/forms/field.tsx';
import { FormDialog } from '../../../kit/layers/form-dialog.tsx';
import { toast } from '../../../kit/layers/toast.tsx';
import { Notice } from '../../../kit/states/states.tsx';
import { languageLabel } from '../../../lib/format.ts';
import { Link } from '../../../lib/navigation/link.tsx';
import { subtitleName } from '../words.ts';
import { WantedRows, type WantedLists } from './rows.tsx';
import { rich } from '../../../messages/rich.ts';
import { subtitlesWords as m } from '../../../messages/subtitles.ts';

type SaveRequest = Parameters<typeof call.wantedSubtitles.save>[0];
async function save(request: SaveRequest, message: string): Promise<void> {
  await call.wantedSubtitles.save(request);
  for (const group of ['wantedSubtitles', 'subtitles', 'configuration'] as const) readAgain(group);
  toast({ message });
}

/** Returns a list in words: `English; German, for the hard of hearing`. */
export const wantedInWords = (wants: WantedLists['wants']): string =>
  wants.length === 0 ? m.noSubtitlesAreWanted : wants.map(subtitleName).join('; ');

const Managed = () => <Notice>{rich(m.theListIsSetOutside, { key: <code>subtitles.wanted</code> })}</Notice>;

export const WantedDialog = ({ wanted, onClose }: { wanted: WantedLists; onClose: () => void }) => {
  const { language, managed } = wanted;
  const [wants, setWants] = useState(() =>
    wanted.wants.filter((one) => one.language !== language || one.role !== 'normal'),
  );
  return (
    <FormDialog
      title={m.wantedSubtitles}
      action={m.save}
      isReady={!managed}
      onSave={() => save({ wants }, m.theWantedSubtitlesAreSaved)}
      onClose={onClose}
    >
      {(error) => (
        <>
          <p>
            {language === undefined
              ? m.noDefaultLanguageIsChosen
              : rich(m.isTheDefaultLanguage, { language: <strong>{languageLabel(language)}</strong> })}{' '}
            <Link
              to={{ page: 'settingsPart', params: { part: 'configuration' }, query: { q: 'subtitles.language' } }}
              className="link"
            >
              {m.changeIt}
            </Link>
          </p>
          {managed ? (
            <>
              <Managed />
              <p>{wantedInWords(wanted.wants)}</p>
            </>
          ) : (
            <WantedRows wants={wants} onWants={setWants} taken={language} />
          )}
          <p className="muted small">{m.oneForTheHardOfHearingAlsoServes}</p>
          {error && <Notice tone="danger">{error}</Notice>}
        </>
      )}
    </FormDialog>
  );
};

export const LibraryWantedDialog = ({
  wanted,
  library,
  onClose,
}: {
  wanted: WantedLists;
  library: WantedLists['libraries'][number];
  onClose: () => void;
}) => {
  const [isOwn, setOwn] = useState(library.own);
  const [wants, setWants] = useState(library.wants);
  const request = { library: library.library, ...(isOwn && { wants }) };
  return (
    <FormDialog
      title={m.subtitlesWantedIn({ library: library.name })}
      action={m.save}
      isReady={!wanted.managed}
      onSave={() => save(request, m.theWantedSubtitlesOfAreSaved({ library: library.name }))}
      onClose={onClose}
    >
      {(error) => (
        <>
          {wanted.managed && <Managed />}
          <Segments
            label={m.whichSubtitlesAreWanted}
            value={isOwn ? 'own' : 'general'}
            choices={[
              { value: 'general', label: m.asInAllLibraries },
              { value: 'own', label: m.aSeparateList },
            ]}
            onValue={(value) => setOwn(value === 'own')}
          />
          {isOwn ? (
            <>
              <WantedRows wants={wants} onWants={setWants} />
              {wants.length === 0 && <p>{m.withAnEmptyListNothingIsMissing}</p>}
            </>
          ) : (
            <p>{wantedInWords(wanted.wants)}</p>
          )}
          {error && <Notice tone="danger">{error}</Notice>}
        </>
      )}
    </FormDialog>
  );
};
