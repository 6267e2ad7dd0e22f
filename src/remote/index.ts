/** Access from outside, as other domains and the program see it. */
export { publicCertificates } from './certificates/public.ts';
