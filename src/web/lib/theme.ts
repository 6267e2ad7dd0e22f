/** The theme: dark, light, or as the system has it. Kept on this device too, so that the first paint is right. */
export type Theme = 'system' | 'dark' | 'light';
const STORAGE_KEY = 'matinee.theme';
const system = typeof matchMedia === 'function' ? matchMedia('(prefers-color-scheme: light)') : undefined;

/** The document always has one of the two, so that each is written down once. */
const show = (theme: Theme): void =>
  document.documentElement.setAttribute(
    'data-theme',
    theme === 'system' ? (system?.matches ? 'light' : 'dark') : theme,
  );

function kept(): Theme {
  try {
    const theme = localStorage.getItem(STORAGE_KEY);
    return theme === 'dark' || theme === 'light' ? theme : 'system';
  } catch {
    return 'system';
  }
}
let now: Theme = typeof document === 'object' ? kept() : 'system';
// Shown at once, because the Profile is not known until the server can be reached.
if (typeof document === 'object') show(now);
system?.addEventListener('change', () => show(now));

export function setTheme(theme: Theme): void {
  now = theme;
  show(theme);
  try {
    if (theme === 'system') localStorage.removeItem(STORAGE_KEY);
    else localStorage.setItem(STORAGE_KEY, theme);
  } catch {
    // Storage may be forbidden; the theme then lasts as long as the page.
  }
}
/** Whether this is a television: its type is larger and its remote control moves the focus from the start. */
export const isTelevision = (): boolean => document.documentElement.hasAttribute('data-tv');
