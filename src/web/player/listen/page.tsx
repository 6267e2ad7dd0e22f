/** The audio player on the whole screen: artwork, controls, and the queue, lyrics or chapters. */
import arrow from 'lucide/dist/esm/icons/chevron-down.mjs';
import keyboard from 'lucide/dist/esm/icons/keyboard.mjs';
import music from 'lucide/dist/esm/icons/list-music.mjs';
import { useCallback, useEffect, useState } from 'preact/hooks';
import { Artwork } from '../../kit/art/artwork.tsx';
import { Button, ButtonLink, IconButton } from '../../kit/forms/button.tsx';
import { KeyMap } from '../../kit/layers/key-map.tsx';
import { EmptyState } from '../../kit/states/states.tsx';
import { Tabs } from '../../kit/states/tabs.tsx';
import { formatDuration } from '../../lib/format.ts';
import { useStore } from '../../lib/store.ts';
import { useTitle } from '../../lib/title.ts';
import { listenWords as m } from '../../messages/listening.ts';
import type { ListenItem } from '../../parts/listening/items.ts';
import { chapterAt } from '../engine/times.ts';
import { resume } from './engine/engine.ts';
import { listenClock, listening } from './engine/state.ts';
import { ChaptersPanel } from './view/chapters-panel.tsx';
import { listeningKeyHelp, useListeningKeys } from './view/keys.ts';
import { LyricsPanel, useLyrics } from './view/lyrics-panel.tsx';
import { LevellingMenu, SkipMenus, SleepMenu, SpeedMenu } from './view/menus.tsx';
import { PlacesPanel } from './view/places-panel.tsx';
import { QueuePanel } from './view/queue-panel.tsx';
import { SeekBar } from './view/seek-bar.tsx';
import { BookTransport, MusicTransport, VolumeControl } from './view/transport.tsx';
import { useChapters } from './view/use-chapters.ts';
import css from './view/listening.module.css';
import { goBack } from '../../lib/navigation/navigate.ts';

/** The chapter of a book, and what is left of the whole. */
const BookLine = () => {
  const { speed } = useStore(listening);
  const { time, duration } = useStore(listenClock);
  const chapters = useChapters();
  const now = chapterAt(chapters, time);
  return (
    <p className={css.by}>
      {now && (
        <>
          <span>{now.chapter.title}</span>
          {' · '}
          <span>{m.chapterOf({ number: now.at + 1, count: chapters.length })}</span>
          {' · '}
        </>
      )}
      {m.leftOfBook({ duration: formatDuration(Math.max(0, duration - time) / speed) })}
    </p>
  );
};

const Names = ({ item }: { item: ListenItem }) => {
  const { fault, isWaiting, isPlaying } = useStore(listening);
  return (
    <div className={css.names}>
      <h1 className={css.title}>{item.title}</h1>
      <p className={css.by}>{[item.by, item.group?.title].filter(Boolean).join(' · ')}</p>
      {item.kind === 'audiobook' && <BookLine />}
      {fault !== undefined ? (
        <p className={css.fault} role="alert">
          {fault} <Button onClick={resume}>{m.retry}</Button>
        </p>
      ) : (
        <p className={css.by} role="status">
          {isWaiting && isPlaying ? m.loading : ''}
        </p>
      )}
    </div>
  );
};

const Panels = ({ item }: { item: ListenItem }) => {
  const isBook = item.kind === 'audiobook';
  const lyrics = useLyrics(item);
  const tabs = isBook
    ? [
        { id: 'chapters', label: m.chapters },
        { id: 'places', label: m.places },
        { id: 'queue', label: m.queue },
      ]
    : [{ id: 'queue', label: m.queue }, ...(lyrics ? [{ id: 'lyrics', label: m.lyrics }] : [])];
  const [chosen, setChosen] = useState('queue');
  const value = tabs.some(({ id }) => id === chosen) ? chosen : (tabs[0]?.id ?? 'queue');
  // A book begins with its chapters.
  useEffect(() => setChosen(isBook ? 'chapters' : 'queue'), [isBook]);
  return (
    <Tabs label={m.nowPlaying} tabs={tabs} value={value} onValue={setChosen}>
      {value === 'chapters' && <ChaptersPanel />}
      {value === 'places' && <PlacesPanel key={item.id} id={item.id} />}
      {value === 'queue' && <QueuePanel />}
      {value === 'lyrics' && lyrics && <LyricsPanel key={item.id} lyrics={lyrics} />}
    </Tabs>
  );
};

export const Page = () => {
  const { queue } = useStore(listening);
  const chapters = useChapters();
  const [isHelp, setHelp] = useState(false);
  const item = queue.entries[queue.at]?.item;
  useTitle(item?.title ?? m.nowPlaying);
  useListeningKeys(useCallback(() => setHelp(true), []));
  if (!item)
    return (
      <div className={css.empty}>
        <h1 className="unseen">{m.nowPlaying}</h1>
        <EmptyState
          icon={music}
          title={m.nothingPlays}
          isAlone
          action={
            <ButtonLink look="primary" to={{ page: 'library' }}>
              {m.toLibrary}
            </ButtonLink>
          }
        >
          {m.nothingPlaysHelp}
        </EmptyState>
      </div>
    );
  const isBook = item.kind === 'audiobook';
  return (
    <div className={css.view}>
      <header className={css.head}>
        <IconButton icon={arrow} label={m.closeView} onClick={() => goBack()} />
        <span className="muted">{m.nowPlaying}</span>
        <IconButton icon={keyboard} label={m.keyHelp} onClick={() => setHelp(true)} />
      </header>
      <div className={css.stage}>
        <div className={css.art}>
          <Artwork
            id={item.art?.id ?? item.id}
            kind={item.art?.kind ?? 'poster'}
            version={item.art?.version}
            title={item.title}
            sizes="(min-width: 900px) 420px, 80vw"
            isEager
            isFilling
          />
        </div>
        <Names item={item} />
        <SeekBar marks={isBook ? chapters.map(({ start }) => start) : []} />
        {isBook ? <BookTransport /> : <MusicTransport />}
        <div className={css.extras}>
          <VolumeControl />
          <SleepMenu isBook={isBook} />
          {isBook ? <SpeedMenu /> : <LevellingMenu />}
        </div>
        {isBook && <SkipMenus />}
      </div>
      <div className={css.side}>
        <Panels item={item} />
      </div>
      {isHelp && <KeyMap keys={listeningKeyHelp()} onClose={() => setHelp(false)} />}
    </div>
  );
};
