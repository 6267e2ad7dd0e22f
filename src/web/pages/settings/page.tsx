/** The settings: one page with its parts, for Owners. */
import type { ComponentType } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { isSettingsPart, SETTINGS_LABELS, type SettingsPart } from '../../lib/navigation/destinations.ts';
import { cx } from '../../lib/cx.ts';
import { Link } from '../../lib/navigation/link.tsx';
import { useTitle } from '../../lib/title.ts';
import { useIsOwner } from '../../data/session.ts';
import { RestartNotice } from '../../parts/restart/notice.tsx';
import { OwnersOnly } from '../../parts/settings/owners-only.tsx';
import { ActivitySection } from './activity.tsx';
import { Configuration, General } from './configuration/configuration.tsx';
import { DiagnosticsSection } from './diagnostics.tsx';
import { DirectorySection } from './directory.tsx';
import { VideoConversion } from './hardware/hardware.tsx';
import { KeysSection } from './keys.tsx';
import { MarkerSuggestions } from './markers.tsx';
import { LibrariesSection } from './libraries/libraries.tsx';
import { NowPlaying } from './playing.tsx';
import { ProfilesSection } from './profiles/profiles.tsx';
import { RemoteSection } from './remote/remote.tsx';
import { TrustedHttpsSection } from './remote/trusted-https.tsx';
import { SessionsSection } from './sessions.tsx';
import { TasksSection } from './tasks.tsx';
import { UnplacedSection } from './unplaced.tsx';
import css from './settings.module.css';
import { settingsWords as m } from '../../messages/settings.ts';

const PARTS: Readonly<Record<SettingsPart, ComponentType>> = {
  general: General,
  configuration: Configuration,
  playing: NowPlaying,
  markers: MarkerSuggestions,
  libraries: LibrariesSection,
  profiles: ProfilesSection,
  directory: DirectorySection,
  keys: KeysSection,
  sessions: SessionsSection,
  remote: RemoteSection,
  'trusted-https': TrustedHttpsSection,
  hardware: VideoConversion,
  tasks: TasksSection,
  diagnostics: DiagnosticsSection,
  activity: ActivitySection,
  unplaced: UnplacedSection,
};

export const Page = ({ params }: { params: { part?: string } }) => {
  const part = isSettingsPart(params.part) ? params.part : 'general';
  const Shows = PARTS[part];
  const name = SETTINGS_LABELS[part]();
  const isOwner = useIsOwner();
  const nav = useRef<HTMLElement>(null);
  useTitle(m.settingsWithName({ name }));
  // On a narrow screen the parts scroll sideways; the one on show is brought in.
  useEffect(() => {
    const here = nav.current?.querySelector<HTMLElement>('[aria-current=page]');
    if (!nav.current || !here) return;
    const [all, one] = [nav.current.getBoundingClientRect(), here.getBoundingClientRect()];
    nav.current.scrollLeft += one.left + one.width / 2 - (all.left + all.width / 2);
  }, [part]);
  if (!isOwner)
    return (
      <div className={css.page}>
        <h1>{m.settings}</h1>
        <OwnersOnly title={m.onlyAnOwnerCanChange} says={m.yourOwnNamePasswordAnd} />
      </div>
    );
  return (
    <div className={cx(css.page, css.withParts)}>
      <h1>
        <span className="unseen">{m.settingsLabel} </span>
        {name}
      </h1>
      <nav ref={nav} className={css.parts} aria-label={m.settings}>
        <ul>
          {(Object.keys(SETTINGS_LABELS) as SettingsPart[]).map((one) => (
            <li key={one}>
              <Link
                to={{ page: 'settingsPart', params: { part: one } }}
                aria-current={one === part ? 'page' : undefined}
                className={css.part}
              >
                {SETTINGS_LABELS[one]()}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <div>
        <RestartNotice />
        <Shows />
      </div>
    </div>
  );
};
