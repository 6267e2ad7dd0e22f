/** Where the dashboard begins: styles, the root, and the service worker. */
import './lib/polyfills.ts';
import '@fontsource-variable/inter/wght.css';
import './style/tokens.css';
import './style/base.css';
import { render } from 'preact';
import { App } from './app/app.tsx';
import { registerWorker } from './app/service-worker.ts';

const root = document.getElementById('root');
if (root) render(<App />, root);
registerWorker();
