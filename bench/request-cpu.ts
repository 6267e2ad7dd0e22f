/**
 * Loaded before a server by a bench that asks one thing at a time: appends the CPU time of each request, with all
 * threads of the process, to the file that `REQUEST_CPU_FILE` names. Other programs of a shared machine change the time
 * that a request takes, and hardly its CPU time.
 */
import { subscribe } from 'node:diagnostics_channel';
import { openSync, writeSync } from 'node:fs';

const file = openSync(process.env['REQUEST_CPU_FILE'] ?? '/dev/null', 'a');
let began: NodeJS.CpuUsage | undefined;
subscribe('http.server.request.start', () => void (began = process.cpuUsage()));
subscribe('http.server.response.finish', () => {
  if (!began) return;
  const { user, system } = process.cpuUsage(began);
  began = undefined;
  writeSync(file, `${(user + system) / 1000}\n`);
});
