/**
 * Reads the Containerfile as its stages, and follows a stage in an empty folder: it copies what COPY names and runs the
 * commands that need no container.
 */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { copyFile, cp, link, mkdir, readdir, readFile, symlink } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';

const ROOT = join(import.meta.dirname, '..');
const run = promisify(execFile);

interface Instruction {
  word: string;
  rest: string;
}
export interface Stage {
  base: string;
  /** Empty for the last stage, which is the image. */
  name: string;
  instructions: readonly Instruction[];
}

export async function readStages(): Promise<Stage[]> {
  const instructions = (await readFile(join(ROOT, 'Containerfile'), 'utf8'))
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll(/\\\n/g, ' ')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => ({ word: line.split(' ')[0] ?? '', rest: line.slice(line.indexOf(' ') + 1).trim() }));
  const stages: (Stage & { instructions: Instruction[] })[] = [];
  for (const instruction of instructions) {
    const [base = '', , name = ''] = instruction.rest.split(' ');
    if (instruction.word === 'FROM') stages.push({ base, name, instructions: [] });
    else stages.at(-1)?.instructions.push(instruction);
  }
  return stages;
}

/** Returns what follows a word that a stage has once. */
export function once(stage: Stage, word: string): string {
  const [only, ...others] = stage.instructions.filter((instruction) => instruction.word === word);
  if (!only || others.length > 0) throw new Error(`${word} is not there once`);
  return only.rest;
}

export const environmentOf = (stage: Stage): Record<string, string> =>
  Object.fromEntries(
    [...once(stage, 'ENV').matchAll(/(\w+)=(?:"([^"]*)"|(\S+))/g)].map(([, name, quoted, plain]) => [
      name,
      quoted ?? plain,
    ]),
  );

/** Follows the stages in their order, each in a folder with its name, and returns the folder of the last one. */
export async function followStages(stages: readonly Stage[], home: string): Promise<string> {
  const ignored = await readIgnored();
  const rootOf = (name: string) => join(home, name === '' ? 'image' : name);
  for (const stage of stages) {
    const root = rootOf(stage.name);
    let folder = root;
    for (const { word, rest } of stage.instructions) {
      if (word === 'WORKDIR') await mkdir((folder = join(root, rest)), { recursive: true });
      if (word === 'RUN') await runCommand(rest, folder);
      if (word !== 'COPY') continue;
      const [, from, words = ''] = /^(?:--from=(\w+) )?(.*)$/.exec(rest) ?? [];
      const paths = words.split(' ');
      const to = resolve(folder, paths.pop() ?? '');
      for (const path of paths) {
        const target = words.endsWith('/') ? join(to, basename(path)) : to;
        if (from !== undefined) await linkTree(join(rootOf(from), path), target);
        else if (ignored(path)) throw new Error(`COPY ${path}: .containerignore leaves it out`);
        else
          await cp(join(ROOT, path), target, {
            recursive: true,
            filter: (one) => !ignored(one.slice(ROOT.length + 1)),
          });
      }
    }
  }
  return rootOf('');
}

/** Returns whether a path below the repository is left out. Reads names and endings; other patterns are refused. */
async function readIgnored(): Promise<(path: string) => boolean> {
  const patterns = (await readFile(join(ROOT, '.containerignore'), 'utf8')).trim().split('\n');
  const other = patterns.find((pattern) => !/^(\*\.)?[\w./-]+$/.test(pattern));
  if (other !== undefined) throw new Error(`.containerignore has a pattern of an unknown form: ${other}`);
  return (path) =>
    patterns.some((pattern) =>
      pattern.startsWith('*')
        ? !path.includes('/') && path.endsWith(pattern.slice(1))
        : path === pattern || path.startsWith(`${pattern}/`),
    );
}

async function runCommand(command: string, folder: string): Promise<void> {
  if (command.includes('apt-get ')) return;
  if (command.startsWith('npm ci ')) {
    if (!command.includes(' --ignore-scripts ')) throw new Error(`it runs scripts of packages: ${command}`);
    return command.includes(' --omit=dev ') ? linkProduction(folder) : linkAll(folder);
  }
  const env = { PATH: process.env['PATH'], HOME: folder };
  await run('sh', ['-c', command], { cwd: folder, env });
}

/** In place of `npm ci`: each installed package, behind a symbolic link. */
async function linkAll(folder: string): Promise<void> {
  await mkdir(join(folder, 'node_modules'));
  for (const name of await readdir(join(ROOT, 'node_modules')))
    await symlink(join(ROOT, 'node_modules', name), join(folder, 'node_modules', name));
}

interface LockedPackage {
  dev?: boolean;
  devOptional?: boolean;
  optional?: boolean;
  link?: boolean;
}
/**
 * In place of `npm ci --omit=dev`: the files of these packages as hard links. Their real path is then in this folder,
 * so that they find no other package of the repository.
 */
async function linkProduction(folder: string): Promise<void> {
  const { packages } = JSON.parse(await readFile(join(folder, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, LockedPackage>;
  };
  for (const [path, { dev, devOptional, optional, link: isLink }] of Object.entries(packages)) {
    if (!path.startsWith('node_modules/') || dev || devOptional || isLink) continue;
    if (optional && !existsSync(join(ROOT, path))) continue;
    await linkTree(join(ROOT, path), join(folder, path), (name) => name !== 'node_modules');
  }
}

/** Makes a second name of every file. Where that is not possible, because it is another file system, it copies. */
async function linkTree(from: string, to: string, isPart: (name: string) => boolean = () => true): Promise<void> {
  await mkdir(to, { recursive: true });
  for (const entry of await readdir(from, { withFileTypes: true })) {
    if (!isPart(entry.name)) continue;
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) await linkTree(source, target, isPart);
    else if (entry.isFile())
      await link(source, target).catch(async (error: NodeJS.ErrnoException) => {
        if (error.code !== 'EXDEV') throw error;
        await mkdir(dirname(target), { recursive: true });
        await copyFile(source, target);
      });
  }
}
