/**
 * Loading a page's code before it is opened. `app` provides the function, because only `app` knows each page's file.
 */
import { createContext } from 'preact';
import type { Page } from '../../../contract/dashboard/pages.ts';

export const PreloadPage = createContext<(page: Page) => void>(() => undefined);
