import { useNavigate, useSearch } from '@tanstack/react-router';
import { customerPages, deskPages } from '../../../contract/pages.ts';

/** Fills the parameters of a path from `contract/pages.ts`. */
export const pathTo = (
  path: string,
  params: Record<string, string> = {},
  search: Record<string, string> = {},
): string => {
  const filled = path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  const query = new URLSearchParams(search).toString();
  return query ? `${filled}?${query}` : filled;
};

/**
 * The address in `next` if it is one of our pages, otherwise the first page. Parsed like a browser does,
 * which drops tabs and newlines. Other addresses of this site may redirect to another one.
 */
export function ownAddress(next: string | undefined, origin: string): string {
  const address = next?.startsWith('/') && URL.canParse(next, origin) ? new URL(next, origin) : null;
  return address?.origin === origin && isPage(address.pathname) ? address.href : '/';
}

const pages = [...Object.values(customerPages), ...Object.values(deskPages)].map(
  (path) => new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}$`),
);
const isPage = (path: string) => pages.some((page) => page.test(path));

/** The router's spelling: `/jobs/$id`. */
export const routePath = (path: string): string => path.replace(/:(\w+)/g, '$$$1');

type Search<Name extends string> = Partial<Record<Name, string>>;

/** State in the address survives reload, Back and copying. Without `replace`, Back undoes the change. */
export function useAddress<Name extends string>() {
  const search = useSearch({ strict: false }) as Search<Name>;
  const navigate = useNavigate();
  const set = (change: { [N in Name]?: string | undefined }, { replace = true } = {}) => {
    const entries = Object.entries({ ...search, ...change }).filter(([, value]) => value !== undefined && value !== '');
    void navigate({ to: '.', search: Object.fromEntries(entries), replace, resetScroll: false });
  };
  return [search, set] as const;
}

/** Writes a parameter into the address without the router, which would render the whole page again. */
export function noteInAddress(name: string, value: string): void {
  const url = new URL(location.href);
  url.searchParams.set(name, value);
  // The router replaces this method of `history` by one that navigates.
  History.prototype.replaceState.call(history, history.state, '', url);
}

/** Parameters are plain text: `q=12` is not a number. */
export const plainSearch = {
  parseSearch: (search: string) => Object.fromEntries(new URLSearchParams(search)),
  stringifySearch: (search: Record<string, unknown>) => {
    const entries = Object.entries(search).filter(([, value]) => value !== undefined && value !== '');
    const text = new URLSearchParams(entries.map(([name, value]) => [name, String(value)])).toString();
    return text ? `?${text}` : '';
  },
};
