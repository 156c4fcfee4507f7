/** Accepts anything, even a wrong shape. Null if there is no such list. */
export function idsIn(content: unknown, list: string, key: string): ReadonlySet<string> | null {
  const entries = (content as Record<string, unknown> | null | undefined)?.[list];
  return Array.isArray(entries) ? new Set(entries.map((entry) => String(entry?.[key]))) : null;
}

/** Families, and options as `family/option`. */
export function servicesIn(content: unknown): ReadonlySet<string> | null {
  const families = idsIn(content, 'families', 'id');
  if (!families) return null;
  const options = (content as { families: { id?: unknown }[] }).families.flatMap((family) =>
    [...(idsIn(family, 'options', 'id') ?? [])].map((option) => `${String(family?.id)}/${option}`),
  );
  return new Set([...families, ...options]);
}
