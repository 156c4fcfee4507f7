type Part = Record<string, unknown>;
type Operation = { operationId: string; tags: string[]; security: object[] };
export type OpenapiDocument = {
  info: Part;
  tags: { name: string }[];
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, Record<string, Operation>>;
  components: Record<string, Part> & { securitySchemes: Part };
};

/** One operation of the document with everything that it refers to; null where there is none of this name. */
export function oneOperation(document: OpenapiDocument, operationId: string): object | null {
  for (const place of ['paths', 'webhooks'] as const)
    for (const [path, methods] of Object.entries(document[place]))
      for (const [method, operation] of Object.entries(methods))
        if (operation.operationId === operationId) {
          const { paths: _paths, webhooks: _webhooks, ...rest } = document;
          return {
            ...rest,
            tags: document.tags.filter(({ name }) => operation.tags.includes(name)),
            paths: {},
            [place]: { [path]: { [method]: operation } },
            components: componentsOf(document, operation),
          };
        }
  return null;
}

/** The components that an operation refers to, and those that they refer to in turn. */
function componentsOf({ components }: OpenapiDocument, operation: Operation): Record<string, Part> {
  const used: Record<string, Part> = {};
  const collect = (part: unknown): void => {
    for (const [, kind = '', name = ''] of JSON.stringify(part).matchAll(/"\$ref":"#\/components\/(\w+)\/([^"]+)"/g)) {
      if (used[kind]?.[name] !== undefined) continue;
      (used[kind] ??= {})[name] = components[kind]?.[name];
      collect(components[kind]?.[name]);
    }
  };
  collect(operation);
  const schemes = operation.security.flatMap((way) => Object.keys(way));
  const securitySchemes = Object.entries(components.securitySchemes).filter(([name]) => schemes.includes(name));
  return { ...used, ...(schemes.length > 0 ? { securitySchemes: Object.fromEntries(securitySchemes) } : {}) };
}
