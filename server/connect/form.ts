/** A form of OAuth. Only `resource` may be repeated. */
export type Form = URLSearchParams;

export type FormAnswer = { status: number; body: object };

export const oauthError = (error: string, error_description: string, status = 400): FormAnswer => ({
  status,
  body: { error, error_description },
});

/** Null if a parameter is repeated: two readers might take different ones. */
export function readForm(text: string): Form | null {
  const form = new URLSearchParams(text);
  const names = [...form.keys()].filter((name) => name !== 'resource');
  return new Set(names).size === names.length ? form : null;
}
