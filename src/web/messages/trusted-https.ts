/** Words of trusted HTTPS at home. */
import { area } from './catalogue.ts';

export let trustedHttpsWords: typeof import('./en/trusted-https.ts').trustedHttpsEnglish;
area<typeof trustedHttpsWords>(
  {
    en: () => import('./en/trusted-https.ts').then(({ trustedHttpsEnglish }) => trustedHttpsEnglish),
    de: () => import('./de/trusted-https.ts').then(({ trustedHttpsGerman }) => trustedHttpsGerman),
  },
  (loaded) => (trustedHttpsWords = loaded),
);
