import { type ComponentType, createElement, type FunctionComponent, lazy, useEffect, useState } from 'react';
import { isReachable, serviceIsBack } from './line.ts';

type Load<Module> = () => Promise<Module>;

/**
 * What a file of the app holds. It is waited for where the service cannot be reached; where a deployment took it away, the
 * page is loaded again, to the new build.
 */
async function fetched<Module>(load: Load<Module>): Promise<Module> {
  for (let failures = 0; ;) {
    try {
      return await load();
    } catch (error) {
      if (!(await isReachable())) await serviceIsBack();
      else if (++failures > 1 && !reloadForBuild()) throw error;
    }
  }
}

const reloadedAt = 'atelier-reloaded-for-build';

/** False where that was tried a moment ago. */
function reloadForBuild(): boolean {
  if (Number(sessionStorage.getItem(reloadedAt)) > Date.now() - 10_000) return false;
  sessionStorage.setItem(reloadedAt, String(Date.now()));
  location.reload();
  return true;
}

/** Files that an open page may need soon; a part that is loaded adds its own. */
const soon: Load<unknown>[] = [];

/** A part that the first paint does not need, such as a dialog. */
// oxlint-disable-next-line typescript/no-explicit-any -- as React has it
export function part<Name extends string, Part extends ComponentType<any>>(load: Load<Record<Name, Part>>, name: Name) {
  soon.push(load);
  return lazy<Part>(async () => ({ default: (await fetched(load))[name] }));
}

/** Milliseconds after which a page is quiet, and between two files that are fetched early. */
const quietAfter = 5_000;
const between = 200;
const wait = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds));
let early: Promise<void> | null = null;

/** Fetches the other pages and dialogs, so that a click needs no connection. */
export const fetchEarly = (): Promise<void> => (early ??= fetchSoon());

async function fetchSoon(): Promise<void> {
  await wait(quietAfter);
  for (const load of soon) {
    await load().catch(() => {});
    await wait(between);
  }
}

type PageModule<Name extends string> = Record<Name, FunctionComponent>;

/** A page of its own file, fetched when it is visited or about to be. Without a connection it says so in its place. */
export function pageOf<Name extends string>(load: Load<PageModule<Name>>, name: Name) {
  let body: FunctionComponent | null = null;
  const fetchBody = async () => (body ??= (await fetched(load))[name]);
  function Page() {
    const [, setState] = useState<FunctionComponent | null>(null);
    const [fault, setFault] = useState<unknown>(null);
    useEffect(() => {
      if (!body) fetchBody().then((loaded) => setState(() => loaded), setFault);
    }, []);
    if (fault) throw fault;
    return body ? createElement(body) : <NoConnection />;
  }
  // What cannot be fetched now is said by the page.
  const preload = async () => {
    body ??= (await load().catch(() => null))?.[name] ?? null;
  };
  return Object.assign(Page, { preload });
}

/** Within the frame: also fetched early. */
export function framedPage<Name extends string>(load: Load<PageModule<Name>>, name: Name) {
  soon.push(load);
  return pageOf(load, name);
}

const NoConnection = () => (
  <>
    <header className="page-head">
      <h1>No connection</h1>
    </header>
    <p role="status">This page opens when it is back.</p>
  </>
);
