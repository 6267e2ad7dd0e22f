/** The bar above a photo: its name, and what can be done with it. */
import download from 'lucide/dist/esm/icons/download.mjs';
import info from 'lucide/dist/esm/icons/info.mjs';
import pause from 'lucide/dist/esm/icons/pause.mjs';
import play from 'lucide/dist/esm/icons/play.mjs';
import timer from 'lucide/dist/esm/icons/timer.mjs';
import x from 'lucide/dist/esm/icons/x.mjs';
import type { Reply } from '../../../data/query.ts';
import { Icon } from '../../../kit/art/icon.tsx';
import { IconButton } from '../../../kit/forms/button.tsx';
import { Menu } from '../../../kit/layers/menu.tsx';
import { photoWords as m } from '../../../messages/photos.ts';
import css from './viewer.module.css';

export type PhotoItem = Reply<'catalog', 'item'>;

const INTERVALS = [3, 5, 10, 20, 60] as const;

export interface Slideshow {
  isOn: boolean;
  seconds: number;
  onToggle: () => void;
  onSeconds: (seconds: number) => void;
}

export const ViewerBar = ({
  item,
  title,
  isInfoOpen,
  onInfo,
  slideshow,
  onClose,
}: {
  item: PhotoItem | undefined;
  title: string;
  isInfoOpen: boolean;
  onInfo: () => void;
  slideshow: Slideshow;
  onClose: () => void;
}) => {
  const { isOn, seconds, onToggle, onSeconds } = slideshow;
  return (
    <header className={css.bar}>
      <IconButton icon={x} label={m.close} onClick={onClose} />
      <h2 className={css.title}>{title}</h2>
      <IconButton
        icon={isOn ? pause : play}
        label={isOn ? m.stopSlideshow : m.slideshow}
        aria-pressed={isOn}
        onClick={onToggle}
      />
      <Menu
        label={m.interval}
        icon={timer}
        isRound
        items={INTERVALS.map((one) => ({
          label: m.seconds({ count: one }),
          isChosen: one === seconds,
          onChoose: () => onSeconds(one),
        }))}
      />
      {item?.links.download !== undefined && (
        <a
          className={css.download}
          href={item.links.download}
          download
          aria-label={m.downloadOriginal}
          title={m.downloadOriginal}
        >
          <Icon of={download} />
        </a>
      )}
      <IconButton icon={info} label={m.information} aria-pressed={isInfoOpen} onClick={onInfo} />
    </header>
  );
};
