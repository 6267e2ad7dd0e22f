/** The facts of a photo: when, with what and where it was taken, and its files. */
import { decimal, facts, size } from '../../../lib/format.ts';
import { Link } from '../../../lib/navigation/link.tsx';
import { perLocale } from '../../../messages/plural.ts';
import { photoWords as m } from '../../../messages/photos.ts';
import type { PhotoListing } from './cards.ts';
import { longDay } from './days.tsx';
import type { PhotoItem } from './viewer-bar.tsx';
import css from './viewer.module.css';

const times = perLocale((locale) => new Intl.DateTimeFormat(locale, { timeStyle: 'short', timeZone: 'UTC' }));

/** The camera's own clock: a local time is never converted to the zone of this browser. */
const localTime = (at: string): string => times().format(new Date(`${at}Z`));

const sourceWords = ({ taken }: PhotoItem): string | undefined =>
  taken === undefined || taken.by === 'camera'
    ? undefined
    : { name: m.takenByName, file: m.takenByFile, sidecar: m.takenBySidecar }[taken.by];

/** A fraction for short times, as cameras show it. */
const shutter = (seconds: number): string =>
  m.secondsShort({ value: seconds >= 0.4 ? decimal(seconds, 1) : `1/${Math.round(1 / seconds)}` });

function exposureOf({ exposure }: PhotoItem): string {
  if (!exposure) return '';
  const { seconds, aperture, iso, focalLength } = exposure;
  return facts(
    seconds !== undefined && shutter(seconds),
    aperture !== undefined && `ƒ/${decimal(aperture, 1)}`,
    iso !== undefined && m.sensitivity({ value: decimal(iso, 0) }),
    focalLength !== undefined && m.millimetres({ value: decimal(focalLength, 0) }),
  ).join(' · ');
}

export const InfoPanel = ({ item, listing }: { item: PhotoItem; listing: PhotoListing }) => {
  const { taken, dimensions, place, versions, folder } = item;
  const rows: [label: string, value: string | undefined][] = [
    [m.camera, item.camera],
    [m.lens, item.lens],
    [m.exposure, exposureOf(item)],
    [m.dimensions, dimensions && `${dimensions.width} × ${dimensions.height}`],
    [
      versions.length > 1 ? m.versions : m.size,
      versions.map((one) => facts(versions.length > 1 && one.label, size(one.size)).join(' ')).join(', '),
    ],
    [m.place, place && `${decimal(place.latitude, 5)}, ${decimal(place.longitude, 5)}`],
  ];
  return (
    <aside className={css.info} aria-label={m.information}>
      <h3>{item.title}</h3>
      <dl>
        {taken && (
          <>
            <dt>{m.taken}</dt>
            <dd>
              {longDay(taken.at.slice(0, 10))}
              <br />
              {facts(localTime(taken.at), taken.offset && `UTC${taken.offset}`).join(' ')}
              {sourceWords(item) !== undefined && <span className={css.source}>{sourceWords(item)}</span>}
            </dd>
          </>
        )}
        {rows.map(
          ([label, value]) =>
            value && (
              <div key={label} className={css.fact}>
                <dt>{label}</dt>
                <dd>{value}</dd>
              </div>
            ),
        )}
        {folder && (
          <>
            <dt>{m.folder}</dt>
            <dd>
              <Link to={{ page: 'library', query: { view: 'photos', library: listing.library, folder: folder.id } }}>
                {folder.title}
              </Link>
            </dd>
          </>
        )}
      </dl>
    </aside>
  );
};
