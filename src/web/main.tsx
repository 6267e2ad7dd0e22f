/** Starts the dashboard: styles, the root, and the service worker. */
import './lib/polyfills.ts';
import '@fontsource-variable/inter/wght.css';
import './style/tokens.css';
import './style/base.css';
import { render } from 'preact';
import { DashboardApp } from './app/app.tsx';
import { countWork } from './app/count-work.ts';
import { registerWorker } from './app/service-worker.ts';
import { speakAtStart } from './messages/choice.ts';
import { pendingUntil } from './lib/pending-work.ts';

const root = document.getElementById('root');
countWork();
pendingUntil('import', speakAtStart()).then(
  () => {
    if (root) render(<DashboardApp />, root);
    registerWorker();
  },
  // There are no words to say it in: neither the server nor what was kept of it can be reached.
  () => root?.append('Matinee could not be loaded. Reload the page to try again.'),
);
