/** An endpoint that will end: deprecated since a day such as `2027-06-30`, and perhaps gone from another. */
export type Deprecation = {
  since: string;
  sunset: string;
  /** The operation id of what to use instead. */
  replacement?: string;
};

const policy = '/docs/changes.md';

/** Headers of its answers: `Deprecation` (RFC 9745), `Sunset` (RFC 8594), and where to read more. */
export function deprecationHeaders({ since, sunset, replacement }: Deprecation): Record<string, string> {
  const links = [
    `<${policy}>; rel="deprecation"; type="text/markdown"`,
    `<${policy}>; rel="sunset"; type="text/markdown"`,
    ...(replacement ? [`</api/v1/openapi.json?operation=${replacement}>; rel="successor-version"`] : []),
  ];
  return {
    deprecation: `@${Date.parse(since) / 1000}`,
    sunset: new Date(sunset).toUTCString(),
    link: links.join(', '),
  };
}

export const deprecationNotice = ({ since, sunset, replacement }: Deprecation): string =>
  `Deprecated since ${since}; it may be gone from ${sunset} on.${replacement ? ` Use \`${replacement}\` instead.` : ''}`;
