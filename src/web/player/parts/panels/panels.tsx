/** The panel that is open, of the player's four. */
import type { Item } from '../../../../contract/catalog/items.ts';
import type { Choices, PlanReply } from '../../../parts/playback/plan.ts';
import type { Playing } from '../../engine/use-playing.ts';
import type { Open } from '../controls.tsx';
import { ChapterPanel } from './chapter-panel.tsx';
import { QualityPanel } from './quality-panel.tsx';
import { SoundPanel } from './sound-panel.tsx';
import { SubtitlePanel } from './subtitle-panel.tsx';

export interface PanelsProps {
  open: Open;
  item: Item;
  plan: PlanReply;
  choices: Choices;
  playing: Playing;
  onClose: () => void;
  onHelp: () => void;
}
export const Panels = ({ open, item, plan, choices, playing, onClose, onHelp }: PanelsProps) => {
  const { film, media, player, audio, sound, subtitle, delay, change, nextId, isAutoplay } = playing;
  switch (open) {
    case 'subtitles':
      return <SubtitlePanel tracks={plan.subtitles} subtitle={subtitle} onClose={onClose} />;
    case 'sound':
      return (
        <SoundPanel
          audio={audio}
          streams={item.streams}
          canShape={sound.canShape}
          delay={delay}
          rate={media.rate}
          hasNext={nextId !== undefined}
          isAutoplay={isAutoplay}
          onRate={player.setRate}
          onClose={onClose}
        />
      );
    case 'chapters':
      return (
        <ChapterPanel
          chapters={plan.chapters}
          time={film?.time() ?? 0}
          onSeek={(time) => (player.seekTo(time), onClose())}
          onClose={onClose}
        />
      );
    case 'quality':
      return (
        <QualityPanel
          plan={plan}
          chosen={choices.quality}
          isShifted={choices.isStream === true}
          onChoose={(quality) => change({ quality })}
          onHelp={() => (onClose(), onHelp())}
          onClose={onClose}
        />
      );
    case undefined:
      return null;
  }
};
