/**
 * The program: reads the configuration, opens the real world, listens, and stops cleanly.
 *
 * What is wrong is said in one line a fault, naming the setting; a start that fails exits with status 2.
 */
import { enableCompileCache } from 'node:module';
import { compiledFolder, processEnvironment } from './config/environment.ts';
import { keepHeapSmall } from './idle-heap.ts';

const STOP_MS = 5_000;
const COMMANDS: ReadonlySet<string> = new Set(['recover', 'restore', 'reset', 'audit']);

async function main(): Promise<void> {
  // Before the compile cache, whose entries belong to the engine's flags.
  keepHeapSmall();
  const [command, ...args] = process.argv.slice(2);
  const env = processEnvironment();
  // Compiled code is kept in the cache folder; a start then takes half the time.
  if (command === undefined) enableCompileCache(compiledFolder(env));
  const { checkCommand, ConfigurationRefused, loadBoot, poolThreads } = await import('./config/index.ts');
  const { SETTINGS: settings } = await import('./settings.ts');
  if (command === 'config' && args[0] === 'check') {
    process.exitCode = await checkCommand({
      args: args.slice(1),
      settings,
      env,
      print: (line) => void process.stdout.write(`${line}\n`),
    });
    return;
  }
  if (command !== undefined && !COMMANDS.has(command))
    return refuse([
      'no such command; there are "config check [FILE]", "recover NAME", "audit verify", "restore" and "reset", and ' +
        'no command starts the server',
    ]);
  try {
    const load = () => loadBoot({ settings, env });
    const boot = await load();
    if (command === 'recover') {
      const { recoverCommand } = await import('./recover.ts');
      process.exitCode = await recoverCommand({ args, boot, print: (line) => void process.stdout.write(`${line}\n`) });
      return;
    }
    if (command === 'audit') {
      const { auditCommand } = await import('./audit.ts');
      process.exitCode = await auditCommand({ args, boot, print: (line) => void process.stdout.write(`${line}\n`) });
      return;
    }
    if (command === 'restore' || command === 'reset') {
      const commands = await import('./restore.ts');
      process.exitCode = await commands[`${command}Command`]({
        args,
        boot,
        print: (line) => void process.stdout.write(`${line}\n`),
      });
      return;
    }
    const [{ runServer: run }, { systemClock }] = await Promise.all([import('./run.ts'), import('./lib/clock.ts')]);
    await run({ boot, load, clock: systemClock, threads: poolThreads(env), stopMs: STOP_MS, refuse });
  } catch (error) {
    if (!(error instanceof ConfigurationRefused)) throw error;
    refuse(error.lines);
  }
}

function refuse(lines: readonly string[]): void {
  for (const line of lines) process.stderr.write(`${line}\n`);
  process.exitCode = 2;
}

main().catch((error: unknown) => {
  refuse([`the server could not start: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`]);
});
