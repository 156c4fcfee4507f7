// The npm scripts start here, under whatever Node npm has. This finds a Node that is new enough and runs a
// program with it: a file, as in `node scripts/run.cjs server/main.ts`, or a program of a dependency,
// by its name; `proof/knip` is a program of what `proof/` depends on. Variables and options of Node go first.
// The syntax is old on purpose: a Node that is too old must be able to read this and say so.
'use strict';

const { spawn } = require('child_process');
const { existsSync, readFileSync } = require('fs');
const { constants } = require('os');
const { basename, delimiter, dirname, join } = require('path');

const oldestToBegin = 20;
const oldestToRun = 24;
const root = join(__dirname, '..');
const modules = join(root, 'node_modules');
const proof = join(root, 'proof');

/** @param {string} problem */
function refuse(problem) {
  process.stderr.write(problem + '\n');
  process.exit(1);
}

/** @param {string} folder */
const manifest = (folder) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));

/**
 * An `npm ci` that was broken off leaves folders without their files.
 * @param {string} name
 */
const isInstalled = (name) => existsSync(join(modules, name, 'package.json'));

/** Node itself, by a path: of its links in `node_modules/.bin`, some versions of npm leave none. */
function findNode() {
  if (ownMajor >= oldestToRun) return process.execPath;
  const name = 'node-' + process.platform + '-' + process.arch;
  const node = join(modules, name, 'bin', 'node');
  if (existsSync(node)) return node;
  if (optionalDependencies[name]) return refuse('Run `npm ci` first: ' + name + ' is missing.');
  const here = process.platform + ' ' + process.arch;
  return refuse('This needs Node ' + oldestToRun + ' or newer. With the dependencies none comes for ' + here + '.');
}

/** @param {string} home */
const commandFor = (home) => (home === proof ? 'npm ci --prefix proof' : 'npm ci');

/**
 * The file of a program that a dependency brings.
 * @param {string} name
 */
function findProgram(name) {
  const home = dirname(name) === 'proof' ? proof : root;
  const program = basename(name);
  const { dependencies, devDependencies } = manifest(home);
  for (const dependency of Object.keys(Object.assign({}, dependencies, devDependencies))) {
    const folder = join(home, 'node_modules', dependency);
    const { bin = {} } = existsSync(join(folder, 'package.json')) ? manifest(folder) : {};
    const files = typeof bin === 'string' ? { [basename(dependency)]: bin } : bin;
    if (files[program]) return join(folder, files[program]);
  }
  return refuse('Run `' + commandFor(home) + '` first: ' + program + ' is missing.');
}

const ownMajor = Number(process.versions.node.split('.')[0]);
if (ownMajor < oldestToBegin)
  refuse('This needs Node ' + oldestToBegin + ' or newer, and this is Node ' + process.versions.node + '.');
if (process.platform === 'win32') refuse('On Windows this runs in WSL, the Windows Subsystem for Linux.');
const { dependencies: required, optionalDependencies } = manifest(root);
if (!Object.keys(required).every(isInstalled)) refuse('Run `npm ci` first.');

const node = findNode();
const words = process.argv.slice(2);
const variables = words.splice(
  0,
  words.findIndex((word) => !/^[A-Z_]+=/.test(word)),
);
const at = words.findIndex((word) => word[0] !== '-');
if (!/\.[cm]?[jt]s$/.test(words[at])) words[at] = findProgram(words[at]);
else if (dirname(words[at]) === 'proof' && !existsSync(join(proof, 'node_modules')))
  refuse('Run `' + commandFor(proof) + '` first.');

const env = Object.assign({}, process.env);
// Programs that begin with `#!/usr/bin/env node` get the same Node. Its folder has no other program.
if (node !== process.execPath) env.PATH = dirname(node) + delimiter + env.PATH;
for (const variable of variables) {
  const [name] = variable.split('=', 1);
  env[name] = variable.slice(name.length + 1);
}

/** @type {import('child_process').ChildProcess | undefined} */
let child;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'])
  process.on(signal, () => {
    // A terminal has sent it to the program, too, which would take two for an order to end at once.
    const isSentToBoth = signal === 'SIGINT' && process.stdin.isTTY;
    if (child && !isSentToBoth) child.kill(signal);
  });
child = spawn(node, words, { env, stdio: 'inherit' });
child.on('error', ({ message }) =>
  refuse('This system cannot run ' + node + ' (' + message + '). Install Node 24 or newer.'),
);
child.on('exit', (code, signal) => {
  if (signal === null) process.exit(code);
  process.exitCode = 128 + constants.signals[signal];
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
});
