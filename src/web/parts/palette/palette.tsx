/**
 * The command palette: one field that opens pages, titles and settings, and starts actions. It is a combobox with a
 * list: the focus stays in the field, and the arrow keys choose.
 */
import { useEffect, useRef, useState } from 'preact/hooks';
import { useIsOwner } from '../../data/session.ts';
import { useAsk } from '../../data/query.ts';
import { Dialog } from '../../kit/layers/dialog.tsx';
import { cx } from '../../lib/cx.ts';
import { pageOf } from '../catalog/cards.tsx';
import { episodeCode, facts, position } from '../../lib/format.ts';
import { settingTexts } from '../../messages/server-settings.ts';
import { shellWords as m } from '../../messages/shell.ts';
import { useFound, wayToLine, wayToPhotos } from '../search/found.ts';
import { fixedCommands, matching, pageCommand, type PaletteCommand } from './commands.ts';
import css from './palette.module.css';
import { later } from '../../lib/pending-work.ts';

type NamedPage = 'person' | 'artist' | 'collection' | 'playlist' | 'smartPlaylist';

const MAX_TITLES = 8;
const MAX_COMMANDS = 8;
const MAX_SETTINGS = 5;
const FOUND = { names: 3, lines: 3 };
const REST_MS = 120;

/** Returns a text after it has not changed for a moment. */
function useRested(text: string): string {
  const [rested, setRested] = useState(text);
  useEffect(() => later(REST_MS, () => setRested(text)), [text]);
  return rested;
}

/** Returns commands that open what a search finds in addition to titles. */
function useFoundCommands(asked: string): PaletteCommand[] {
  const { people, artists, collections, playlists, smartPlaylists, photoFolders, lyrics, dialogue } = useFound(
    asked,
    FOUND,
  );
  const named = (page: NamedPage, hint: string, items: readonly { id: string; name: string }[]) =>
    items
      .slice(0, FOUND.names)
      .map(({ id, name }) => pageCommand(`${page}-${id}`, name, hint, { page, params: { id } }));
  const lines = [lyrics, dialogue].flatMap((found) =>
    (found?.items ?? []).flatMap((hit) => {
      const { item } = hit;
      const [line] = hit.lines;
      if (!line) return [];
      const at = line.start === undefined ? undefined : position(line.start);
      const title = item.show ? facts(item.show.title, episodeCode(item)).join(' ') : item.title;
      return [
        pageCommand(
          `line-${item.id}`,
          m.spokenLine({ text: line.text }),
          facts(title, at).join(' · '),
          wayToLine(hit, line),
        ),
      ];
    }),
  );
  return [
    ...named('person', m.personHint, people),
    ...named('artist', m.kindHints.artist, artists),
    ...named('collection', m.collectionHint, collections),
    ...named('playlist', m.playlistHint, playlists),
    ...named('smartPlaylist', m.playlistHint, smartPlaylists),
    ...photoFolders.map((one) => pageCommand(`photos-${one.id}`, one.title, m.photoFolderHint, wayToPhotos(one))),
    ...lines,
  ];
}

/** Returns the commands for a text: without one, what was watched last and the pages. */
function useCommands(text: string): PaletteCommand[] {
  const isOwner = useIsOwner();
  const asked = useRested(text.trim());
  const titles = useAsk('catalog', 'library', { q: asked, limit: MAX_TITLES }, { enabled: asked !== '', keep: true });
  const recent = useAsk('catalog', 'library', { view: 'continue', limit: 3 }, { enabled: asked === '' });
  const found = useFoundCommands(asked);
  const settings = useAsk('configuration', 'list', {}, { enabled: isOwner && asked !== '' });
  const cards = (asked === '' ? recent.data : titles.data)?.items ?? [];
  const shown = cards.map((card) =>
    pageCommand(
      `item-${card.id}`,
      facts(card.show?.title, card.title).join(' · '),
      // A book and its audiobook have the same title, and often the same year.
      asked === '' ? m.recentHint : facts(m.kindHints[card.kind], card.year).join(' · '),
      pageOf(card),
    ),
  );
  if (asked === '') return [...shown, ...fixedCommands(isOwner)];
  const named = (settings.data?.settings ?? []).map(({ key, title }) =>
    pageCommand(`setting-${key}`, settingTexts.settings[key]?.title ?? title, m.settings, {
      page: 'settingsPart',
      params: { part: 'configuration' },
      query: { q: key },
    }),
  );
  return [
    ...matching(fixedCommands(isOwner), asked).slice(0, MAX_COMMANDS),
    ...shown,
    ...found,
    ...matching(named, asked).slice(0, MAX_SETTINGS),
    pageCommand('search', m.searchEverythingFor({ text: asked }), m.search, { page: 'search', query: { q: asked } }),
  ];
}

export const Palette = ({ onClose }: { onClose: () => void }) => {
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const commands = useCommands(text);
  const list = useRef<HTMLUListElement>(null);
  const current = commands[Math.min(at, commands.length - 1)];
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [current?.id]);
  const choose = (command: PaletteCommand | undefined) => {
    if (!command) return;
    onClose();
    command.run();
  };
  const onKey = (event: KeyboardEvent) => {
    const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };
    const step = steps[event.key];
    if (step !== undefined && commands.length > 0) {
      event.preventDefault();
      event.stopPropagation();
      setAt((commands.length + Math.min(at, commands.length - 1) + step) % commands.length);
    } else if (event.key === 'Enter' && !event.isComposing) {
      event.preventDefault();
      choose(current);
    }
  };
  return (
    <Dialog title={m.commandPalette} onClose={onClose} isWide>
      <input
        data-first
        className={css.field}
        type="text"
        role="combobox"
        aria-label={m.commandPalettePrompt}
        aria-expanded="true"
        aria-controls="palette-list"
        aria-autocomplete="list"
        aria-activedescendant={current && `palette-${current.id}`}
        autoComplete="off"
        spellcheck={false}
        maxLength={128}
        placeholder={m.commandPalettePrompt}
        value={text}
        onInput={(event) => {
          setText(event.currentTarget.value);
          setAt(0);
        }}
        onKeyDown={onKey}
      />
      <ul ref={list} id="palette-list" role="listbox" aria-label={m.commandPalette} className={css.list}>
        {commands.map((command) => (
          <li
            key={command.id}
            id={`palette-${command.id}`}
            role="option"
            aria-selected={command === current}
            className={cx(css.option, command === current && css.current)}
            onClick={() => choose(command)}
          >
            <span className={css.label}>{command.label}</span>
            <span className={cx('muted small', css.hint)}>{command.hint}</span>
          </li>
        ))}
      </ul>
    </Dialog>
  );
};
