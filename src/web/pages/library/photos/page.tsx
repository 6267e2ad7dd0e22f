/** The photos of a library: by day, by folder, and one of them in the viewer. The address holds what is on show. */
import arrowLeft from 'lucide/dist/esm/icons/arrow-left.mjs';
import image from 'lucide/dist/esm/icons/image.mjs';
import chevron from 'lucide/dist/esm/icons/chevron-down.mjs';
import { useAll, useAsk } from '../../../data/query.ts';
import { Button, ButtonLink } from '../../../kit/forms/button.tsx';
import { Menu } from '../../../kit/layers/menu.tsx';
import { EmptyState, ErrorState, Pending } from '../../../kit/states/states.tsx';
import { Tabs } from '../../../kit/states/tabs.tsx';
import { hrefOf, type Query } from '../../../lib/navigation/addresses.ts';
import { go } from '../../../lib/navigation/navigate.ts';
import { useTitle } from '../../../lib/title.ts';
import { FoldersLink } from '../../../parts/libraries/folders-link.tsx';
import { photoWords as m } from '../../../messages/photos.ts';
import type { PhotoListing } from './cards.ts';
import { Days } from './days.tsx';
import { PhotoFolders } from './folders.tsx';
import { PhotoViewer } from './viewer.tsx';
import css from './photos.module.css';

const ID = /^[0-9a-f]{16}$/;
const idIn = (params: URLSearchParams, name: string): string | undefined => {
  const id = params.get(name);
  return id !== null && ID.test(id) ? id : undefined;
};

/** Returns the photos that the address asks for. */
export function photoListingOf(params: URLSearchParams): PhotoListing {
  const [library, folder, camera] = [idIn(params, 'library'), idIn(params, 'folder'), params.get('camera')];
  return { ...(library && { library }), ...(folder && { folder }), ...(camera && { camera }) };
}

export interface PhotosProps {
  params: URLSearchParams;
  /** Name of the library; undefined for those of all libraries. */
  name: string | undefined;
}

export const Photos = ({ params, name }: PhotosProps) => {
  const listing = photoListingOf(params);
  const base: Query = { view: 'photos', library: listing.library };
  const at = (query: Query) => hrefOf({ page: 'library', query: { ...base, ...query } });
  const isByFolder = params.get('by') === 'folders' && listing.folder === undefined;
  const photo = idIn(params, 'photo');
  const folders = useAll('photos', 'folders', listing.library ? { library: listing.library } : {}, {
    enabled: isByFolder || listing.folder !== undefined,
  });
  const folder = folders.data?.items.find(({ id }) => id === listing.folder);
  const title = folder?.title ?? name ?? m.photos;
  useTitle(title);
  const days = useAsk('photos', 'days', listing, { keep: true });
  const facets = useAsk('catalog', 'library', { ...listing, camera: undefined, view: 'photos', limit: 1 } as never);
  const cameras = facets.data?.facets.cameras ?? [];
  if (!days.data)
    return days.error ? (
      <ErrorState isAlone title={m.photosCouldNotBeLoaded} error={days.error} retry={() => void days.refetch()} />
    ) : (
      <Pending />
    );
  const { items, total } = days.data;
  const stay: Query = { folder: listing.folder, camera: listing.camera };
  const shown = isByFolder ? (
    <PhotoFolders reply={folders.data} error={folders.error} retry={() => void folders.refetch()} base={base} />
  ) : total === 0 ? (
    <Nothing
      isFiltered={listing.camera !== undefined}
      isOfOne={listing.library !== undefined}
      onShowAll={() => go(at({ folder: listing.folder }))}
    />
  ) : (
    <Days
      key={JSON.stringify(listing)}
      days={items}
      listing={listing}
      label={title}
      addressOf={(id) => ({ page: 'library', query: { ...base, ...stay, photo: id } })}
    />
  );
  return (
    <div className={css.page}>
      <header className={css.head}>
        <h1>{title}</h1>
        <p className="muted">{m.photosCount({ count: total })}</p>
        <span className={css.tools}>
          {cameras.length > 1 && !isByFolder && (
            <Menu
              label={listing.camera ?? m.camera}
              icon={chevron}
              isIconAfter
              items={[
                { label: m.anyCamera, isChosen: !listing.camera, onChoose: () => go(at({ folder: listing.folder })) },
                ...cameras.map(({ value }) => ({
                  label: value,
                  isChosen: value === listing.camera,
                  onChoose: () => go(at({ folder: listing.folder, camera: value })),
                })),
              ]}
            />
          )}
        </span>
      </header>
      {listing.folder === undefined ? (
        <Tabs
          label={m.show}
          tabs={[
            { id: 'days', label: m.byDay },
            { id: 'folders', label: m.byFolder },
          ]}
          value={isByFolder ? 'folders' : 'days'}
          onValue={(id) => go(at(id === 'folders' ? { by: 'folders' } : {}), { replace: true })}
        >
          {shown}
        </Tabs>
      ) : (
        <>
          <p className={css.way}>
            <ButtonLink look="quiet" icon={arrowLeft} to={{ page: 'library', query: { ...base, by: 'folders' } }}>
              {m.allFolders}
            </ButtonLink>
          </p>
          {shown}
        </>
      )}
      {photo !== undefined && total > 0 && (
        <PhotoViewer id={photo} days={items} listing={listing} addressOf={(id) => at({ ...stay, photo: id })} />
      )}
    </div>
  );
};

const Nothing = ({
  isFiltered,
  isOfOne,
  onShowAll,
}: {
  isFiltered: boolean;
  /** Whether they are those of one library. */
  isOfOne: boolean;
  onShowAll: () => void;
}) =>
  isFiltered ? (
    <EmptyState
      isAlone
      icon={image}
      title={m.noPhotosOfCamera}
      action={<Button onClick={onShowAll}>{m.showAll}</Button>}
    >
      {m.anyCamera}
    </EmptyState>
  ) : (
    <EmptyState isAlone icon={image} title={m.noPhotosYet} action={<FoldersLink isOfOne={isOfOne} />}>
      {m.noPhotosHelp}
    </EmptyState>
  );
