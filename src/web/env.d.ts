/** Declares the modules that the build provides and TypeScript cannot find by itself. */
declare module 'virtual:routes' {
  import type { Api } from '../contract/api.ts';
  import type { Routes } from '../contract/kernel/client.ts';
  /** Address of each endpoint and the place of each field in a request; made from the contract at build time. */
  export const routes: Routes<Api>;
}
declare module 'lucide/dist/esm/icons/*.mjs' {
  import type { IconNode } from 'lucide';
  const icon: IconNode;
  export default icon;
}
declare module '@fontsource-variable/inter/wght.css';
/** The files of the shell, put into the service worker by the build. */
declare const __SHELL__: {
  version: string;
  files: readonly string[];
  /** The words of the shell by language. */
  words: Readonly<Record<string, readonly string[]>>;
};
