/** Lists of objects: each is shown in words, with a button or link that opens its editor. */
import { useState } from 'preact/hooks';
import type { SettingEditorName } from '../../../../contract/config/configuration.ts';
import { useAsk } from '../../../data/query.ts';
import { Button, ButtonLink } from '../../../kit/forms/button.tsx';
import { WantedDialog, wantedInWords } from '../../../parts/subtitles/wanted/dialogs.tsx';
import css from './configuration.module.css';
import { configurationWords as m } from '../../../messages/configuration.ts';

interface EditorProps {
  title: string;
}

const Libraries = () => (
  <ButtonLink to={{ page: 'settingsPart', params: { part: 'libraries' } }}>{m.manageLibraries}</ButtonLink>
);

const WantedSubtitles = ({ title }: EditorProps) => {
  const { data } = useAsk('wantedSubtitles', 'list', {});
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      {data && <p className={css.inWords}>{wantedInWords(data.wants)}</p>}
      <Button disabled={!data} onClick={() => setOpen(true)} aria-label={m.changeWithTitle({ title })}>
        {m.change}
      </Button>
      {isOpen && data && <WantedDialog wanted={data} onClose={() => setOpen(false)} />}
    </>
  );
};

const EDITORS = { libraries: Libraries, 'wanted-subtitles': WantedSubtitles } as const satisfies Readonly<
  Record<SettingEditorName, unknown>
>;
export const EditorFor = ({ editor, ...props }: EditorProps & { editor: SettingEditorName }) => {
  const Editor = EDITORS[editor];
  return <Editor {...props} />;
};
