import {
  type ComponentProps,
  type ComponentType,
  createElement,
  type FunctionComponent,
  lazy,
  type ReactNode,
  Suspense,
  useEffect,
  useState,
} from 'react';
import { isReachable, serviceIsBack } from './line.ts';
import { useLater } from './use-later.ts';

type Load<Module> = () => Promise<Module>;

/** Waits if the service is unreachable; reloads the page if a deployment removed the file. */
async function fetched<Module>(load: Load<Module>): Promise<Module> {
  for (let failures = 0; ;) {
    try {
      return await load();
    } catch (error) {
      if (!(await isReachable())) await serviceIsBack();
      else if (++failures > 1) {
        if (!reloadForBuild()) throw error;
        await new Promise(() => {}); // the page goes away
      }
    }
  }
}

const reloadedAt = 'atelier-reloaded-for-build';

/** False if the page has just been reloaded. */
function reloadForBuild(): boolean {
  if (Number(sessionStorage.getItem(reloadedAt)) > Date.now() - 10_000) return false;
  sessionStorage.setItem(reloadedAt, String(Date.now()));
  location.reload();
  return true;
}

/** Files that an open page may need soon. */
const soon: Load<unknown>[] = [];

// oxlint-disable-next-line typescript/no-explicit-any -- as React has it
type AnyComponent = ComponentType<any>;

/** A part that the first paint does not need: `waiting` until it is loaded. Large ones load when used. */
export function part<Name extends string, Part extends AnyComponent>(
  load: Load<Record<Name, Part>>,
  name: Name,
  waiting: ReactNode = null,
  isEarly = true,
) {
  if (isEarly) soon.push(load);
  const Body: AnyComponent = lazy(async () => ({ default: (await fetched(load))[name] }));
  return (props: ComponentProps<Part>) => (
    <Suspense fallback={waiting}>
      <Body {...props} />
    </Suspense>
  );
}

/** A dialog, mounted after the first paint or when it opens. */
export function dialogPart<Name extends string, Part extends AnyComponent>(load: Load<Record<Name, Part>>, name: Name) {
  const Dialog: AnyComponent = part(load, name);
  return function LaterDialog(props: ComponentProps<Part> & { opened: boolean }) {
    return useLater(props.opened) && <Dialog {...props} />;
  };
}

/** Milliseconds before early loading starts, and between two files. */
const quietAfter = 5_000;
const between = 200;
const wait = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds));
let early: Promise<void> | null = null;

/** Loads other pages and dialogs early, so that a click works offline. */
export const fetchEarly = (): Promise<void> => (early ??= fetchSoon());

async function fetchSoon(): Promise<void> {
  await wait(quietAfter);
  for (const load of soon) {
    await load().catch(() => {});
    await wait(between);
  }
}

type PageModule<Name extends string> = Record<Name, FunctionComponent>;

/** A page in a file of its own. Says so if it cannot be loaded. */
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
  // The page reports a failed load.
  const preload = async () => {
    body ??= (await load().catch(() => null))?.[name] ?? null;
  };
  return Object.assign(Page, { preload });
}

/** Also loaded early. */
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
