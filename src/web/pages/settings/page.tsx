/** The settings: one page with its parts, for Owners. */
import type { ComponentType } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { SETTINGS_PARTS } from '../../../contract/dashboard/pages.ts';
import { Link } from '../../lib/navigation/link.tsx';
import { useTitle } from '../../lib/title.ts';
import { useIsOwner } from '../../data/session.ts';
import { EmptyState } from '../../kit/states/states.tsx';
import { Configuration } from './configuration/configuration.tsx';
import { Diagnostics } from './diagnostics.tsx';
import { VideoConversion } from './hardware/hardware.tsx';
import { Keys } from './keys.tsx';
import { MarkerSuggestions } from './markers.tsx';
import { Libraries } from './libraries/libraries.tsx';
import { NowPlaying } from './playing.tsx';
import { Profiles } from './profiles/profiles.tsx';
import { Sessions } from './sessions.tsx';
import { Tasks } from './tasks.tsx';
import { Unplaced } from './unplaced.tsx';
import css from './settings.module.css';

type Part = (typeof SETTINGS_PARTS)[number];
const PARTS: Readonly<Record<Part, { name: string; Shows: ComponentType }>> = {
  configuration: { name: 'Configuration', Shows: Configuration },
  playing: { name: 'Now playing', Shows: NowPlaying },
  markers: { name: 'Intros and credits', Shows: MarkerSuggestions },
  libraries: { name: 'Libraries', Shows: Libraries },
  profiles: { name: 'Profiles', Shows: Profiles },
  keys: { name: 'API keys', Shows: Keys },
  sessions: { name: 'Sessions and devices', Shows: Sessions },
  hardware: { name: 'Video conversion', Shows: VideoConversion },
  tasks: { name: 'Tasks', Shows: Tasks },
  diagnostics: { name: 'Diagnostics', Shows: Diagnostics },
  unplaced: { name: 'Unplaced files', Shows: Unplaced },
};
const isPart = (name: string | undefined): name is Part =>
  name !== undefined && Object.prototype.hasOwnProperty.call(PARTS, name);

export const Page = ({ params }: { params: { part?: string } }) => {
  const part: Part = isPart(params.part) ? params.part : 'configuration';
  const { name, Shows } = PARTS[part];
  const isOwner = useIsOwner();
  const nav = useRef<HTMLElement>(null);
  useTitle(`Settings, ${name}`);
  // On a narrow screen the parts scroll sideways; the one on show is brought in.
  useEffect(() => {
    const here = nav.current?.querySelector<HTMLElement>('[aria-current=page]');
    if (nav.current && here)
      nav.current.scrollLeft = here.offsetLeft - (nav.current.clientWidth - here.offsetWidth) / 2;
  }, [part]);
  if (!isOwner)
    return (
      <div className={css.page}>
        <h1>Settings</h1>
        <EmptyState title="Only an Owner changes the settings">
          Your own name, password and language are on your account page.
        </EmptyState>
      </div>
    );
  return (
    <div className={css.page}>
      <h1>
        <span className="unseen">Settings: </span>
        {name}
      </h1>
      <nav ref={nav} className={css.parts} aria-label="Settings">
        <ul>
          {(Object.keys(PARTS) as Part[]).map((one) => (
            <li key={one}>
              <Link
                to={{ page: 'settingsPart', params: { part: one } }}
                aria-current={one === part ? 'page' : undefined}
                className={css.part}
              >
                {PARTS[one].name}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <Shows />
    </div>
  );
};
