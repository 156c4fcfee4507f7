/** JSON with a line for each operation and each component: small, and a change of one shows as one line. */
export function asLines(value: unknown, depth = 3): string {
  if (depth === 0 || typeof value !== 'object' || value === null || Array.isArray(value)) return JSON.stringify(value);
  const entries = Object.entries(value).map(([name, inner]) => `${JSON.stringify(name)}:${asLines(inner, depth - 1)}`);
  return `{\n${entries.join(',\n')}\n}`;
}
