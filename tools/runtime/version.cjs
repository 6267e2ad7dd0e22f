/**
 * Makes npm choose packages for the Node that it brings. It leaves out the optional ones whose `engines` exclude the Node
 * that runs npm itself, without a word: with Node 18, everything native that the build needs. Loaded by `--require`.
 */
const { version } = require('./package.json');

Object.defineProperty(process, 'version', { value: `v${version}` });
