/** The theme: dark, light, or as the system has it. Kept on this device too, so that the first paint is right. */
export type Theme = 'system' | 'dark' | 'light';
const KEPT = 'matinee.theme';

export function setTheme(theme: Theme): void {
  const root = document.documentElement;
  if (theme === 'system') root.removeAttribute('data-theme');
  else root.setAttribute('data-theme', theme);
  try {
    if (theme === 'system') localStorage.removeItem(KEPT);
    else localStorage.setItem(KEPT, theme);
  } catch {
    // Storage may be forbidden; the theme then lasts as long as the page.
  }
}
/** Whether this is a television: its type is larger and its remote control moves the focus from the start. */
export const isTelevision = (): boolean => document.documentElement.hasAttribute('data-tv');
