/** The commands of the palette: pages, parts of the settings, settings by their names, and actions. */
import { SETTINGS_PARTS } from '../../../contract/dashboard/pages.ts';
import { call, sentence } from '../../data/client.ts';
import { toast } from '../../kit/layers/toast.tsx';
import { hrefOf, type To } from '../../lib/navigation/addresses.ts';
import { destinationsIn, SETTINGS_LABELS } from '../../lib/navigation/destinations.ts';
import { go } from '../../lib/navigation/navigate.ts';
import { shellWords as m } from '../../messages/shell.ts';

export interface PaletteCommand {
  id: string;
  label: string;
  /** Kind of command, or where it leads. */
  hint: string;
  run(): void;
}

/** Returns a command that opens a page. */
export const pageCommand = (id: string, label: string, hint: string, to: To): PaletteCommand => ({
  id,
  label,
  hint,
  run: () => go(hrefOf(to)),
});

const startScan = (): void => {
  call.tasks
    .start({ task: 'scan-changes' })
    .then(() => toast({ message: m.scanStarted }))
    .catch((error: unknown) => toast({ message: sentence(error), isError: true }));
};

/** Returns the commands that do not depend on what is typed. */
export function fixedCommands(isOwner: boolean): PaletteCommand[] {
  const pages = destinationsIn('main', 'requests', 'libraries', ...(isOwner ? (['owner'] as const) : []), 'account');
  return [
    ...pages.map(({ page, label }) => pageCommand(`page-${page}`, label(), m.pageHint, { page })),
    ...(isOwner
      ? [
          ...SETTINGS_PARTS.map((part) =>
            pageCommand(`part-${part}`, SETTINGS_LABELS[part](), m.settings, {
              page: 'settingsPart',
              params: { part },
            }),
          ),
          { id: 'scan', label: m.scanForChanges, hint: m.actionHint, run: startScan },
        ]
      : []),
  ];
}

/** Returns the commands whose label has every word of a text. Those that begin with it come first. */
export function matching(commands: readonly PaletteCommand[], text: string): PaletteCommand[] {
  const words = text.toLocaleLowerCase().split(/\s+/).filter(Boolean);
  const has = ({ label }: PaletteCommand) => words.every((word) => label.toLocaleLowerCase().includes(word));
  const begins = ({ label }: PaletteCommand) => label.toLocaleLowerCase().startsWith(words[0] ?? '');
  return commands.filter(has).sort((a, b) => Number(begins(b)) - Number(begins(a)));
}
