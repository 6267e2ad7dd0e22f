/** Entries of an item's menu with which an Owner rates it, and allows or hides it for Profiles. */
import eye from 'lucide/dist/esm/icons/eye.mjs';
import eyeOff from 'lucide/dist/esm/icons/eye-off.mjs';
import shield from 'lucide/dist/esm/icons/shield.mjs';
import undo from 'lucide/dist/esm/icons/undo-2.mjs';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Card } from '../../../contract/catalog/cards.ts';
import type { Certification } from '../../../contract/catalog/cards.ts';
import { useAll } from '../../data/query.ts';
import { useIsOwner } from '../../data/session.ts';
import { Select } from '../../kit/forms/field.tsx';
import { FormDialog } from '../../kit/layers/form-dialog.tsx';
import type { MenuItem } from '../../kit/layers/menu.tsx';
import { agesWords as m } from '../../messages/ages.ts';
import { accessOf, decideFor, setRating } from './ages.tsx';

type RatedItem = Pick<Card, 'id' | 'title'> & { certification?: Certification | undefined };

/** Ages that can be set: those that certifications of all countries have. */
const AGES = [0, 3, 4, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 21];
const TAGS = 'tags';

const RatingDialog = ({ item, onClose }: { item: RatedItem; onClose: () => void }) => {
  const { id, title, certification } = item;
  const set = certification?.set;
  const [chosen, setChosen] = useState(set ?? TAGS);
  const stated = certification?.stated;
  const choices = [
    { value: TAGS, label: stated === undefined ? m.fromTagsUnrated : m.fromTags({ rating: stated }) },
    ...(set === undefined || AGES.some((age) => String(age) === set) ? [] : [{ value: set, label: set }]),
    ...AGES.map((age) => ({ value: String(age), label: age === 0 ? m.forEveryAge : m.ratingFromAge({ age }) })),
  ];
  return (
    <FormDialog
      title={m.setRatingOf({ title })}
      action={m.setRating}
      onSave={() => setRating({ id, title }, chosen === TAGS ? null : chosen, certification)}
      onClose={onClose}
    >
      {(error) => (
        <Select
          label={m.age}
          hint={m.setRatingHint}
          error={error}
          value={chosen}
          choices={choices}
          onValue={setChosen}
        />
      )}
    </FormDialog>
  );
};

/** Returns the entries, none for other people than Owners, and the dialog that one of them opens. */
export function useRatingMenu(item: RatedItem): { items: MenuItem[]; dialog: ComponentChildren } {
  const isOwner = useIsOwner();
  const { data } = useAll('profiles', 'list', {}, { enabled: isOwner });
  const [isOpen, setOpen] = useState(false);
  if (!isOwner) return { items: [], dialog: null };
  const viewers = data?.items.filter(({ role }) => role === 'viewer') ?? [];
  const decisions = viewers.flatMap((profile): MenuItem[] => {
    const { name } = profile;
    const access = accessOf(profile, item.id);
    const decide = (now: typeof access) => () => void decideFor(profile, item, now, access);
    return [
      ...(access === 'allowed' ? [] : [{ label: m.allowFor({ name }), icon: eye, onChoose: decide('allowed') }]),
      ...(access === 'hidden' ? [] : [{ label: m.hideFrom({ name }), icon: eyeOff, onChoose: decide('hidden') }]),
      ...(access === 'default' ? [] : [{ label: m.useRatingFor({ name }), icon: undo, onChoose: decide('default') }]),
    ];
  });
  return {
    items: [{ label: m.setRating, icon: shield, onChoose: () => setOpen(true) }, ...decisions],
    dialog: isOpen && <RatingDialog item={item} onClose={() => setOpen(false)} />,
  };
}
