import { useNavigate, useSearch } from '@tanstack/react-router';

/** A path of `contract/pages.ts` with its parameters filled in. */
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
 * The address that `next` names on this site, else the first page. It is parsed as a browser does, which drops tabs and
 * newlines. A parsed path such as `//other.example` would itself name another site.
 */
export function ownAddress(next: string | undefined, origin: string): string {
  const address = next?.startsWith('/') && URL.canParse(next, origin) ? new URL(next, origin) : null;
  return address?.origin === origin && !address.pathname.startsWith('//') ? address.href : '/';
}

/** Paths as the router spells them: `/jobs/$id`. */
export const routePath = (path: string): string => path.replace(/:(\w+)/g, '$$$1');

type Search<Name extends string> = Partial<Record<Name, string>>;

/** The state of a page that stands in its address: filters and tabs survive reload, Back and copying. */
export function useAddress<Name extends string>() {
  const search = useSearch({ strict: false }) as Search<Name>;
  const navigate = useNavigate();
  const set = (change: { [N in Name]?: string | undefined }) => {
    const kept = Object.entries({ ...search, ...change }).filter(([, value]) => value !== undefined && value !== '');
    void navigate({ to: '.', search: Object.fromEntries(kept), replace: true, resetScroll: false });
  };
  return [search, set] as const;
}

/** Search parameters are plain text in the address: `q=12` is not the number twelve. */
export const plainSearch = {
  parseSearch: (search: string) => Object.fromEntries(new URLSearchParams(search)),
  stringifySearch: (search: Record<string, unknown>) => {
    const entries = Object.entries(search).filter(([, value]) => value !== undefined && value !== '');
    const text = new URLSearchParams(entries.map(([name, value]) => [name, String(value)])).toString();
    return text ? `?${text}` : '';
  },
};
