import { resourceOf, resourcePaths } from '../../contract/developer/oauth.ts';

/** A form of OAuth. Only `resource` may be repeated. */
export type Form = URLSearchParams;

export type FormAnswer = { status: number; body: object };

export const oauthError = (error: string, error_description: string, status = 400): FormAnswer => ({
  status,
  body: { error, error_description },
});

/**
 * The resources that an app names (RFC 8707), or ours if it names none. Each of our own addresses, also with
 * a slash at its end, means the one that tokens are for.
 */
export function resourcesOf(publicUrl: string, form: Form): string[] {
  const own = resourcePaths.map((path) => publicUrl + path);
  const named = form.getAll('resource');
  const meant = named.map((name) => (own.includes(name.replace(/\/$/, '')) ? resourceOf(publicUrl) : name));
  return named.length === 0 ? [resourceOf(publicUrl)] : [...new Set(meant)];
}

/** Null if a parameter is repeated: two readers might take different ones. */
export function readForm(text: string): Form | null {
  const form = new URLSearchParams(text);
  const names = [...form.keys()].filter((name) => name !== 'resource');
  return new Set(names).size === names.length ? form : null;
}
