import type { TSchema } from 'typebox';
import { deprecationNotice } from '../deprecation.ts';
import { type Auth, type Endpoint, scopeOf } from '../endpoint.ts';
import { exampleOf } from './examples.ts';
import { holdersOf, rolesWith } from '../desk/operator-roles.ts';
import { parametersOf } from './parameters.ts';
import { referTo } from './references.ts';
import { type AnswerExamples, responsesOf } from './responses.ts';

/** The parts of a document that its operations share and refer to. */
export type Components = {
  /** Without examples, and without the ways of browsers, which send a cookie. */
  brief: boolean;
  schemas: Record<string, unknown>;
  parameters: Record<string, unknown>;
  responses: Record<string, unknown>;
  refer: (schema: TSchema) => unknown;
  referInput: (schema: TSchema) => unknown;
};

export function createComponents({ closed = false, brief = false } = {}): Components {
  const schemas: Record<string, unknown> = {};
  return { brief, schemas, parameters: {}, responses: {}, ...referTo(schemas, { closed, brief }) };
}

const securityOf = (endpoint: Endpoint, brief: boolean): Record<string, string[]>[] => {
  if (endpoint.auth === 'public') return [];
  if (endpoint.auth === 'guest') return [{ reviewLink: [] }];
  const session: Record<string, string[]>[] = brief ? [{ session: [] }] : [{ session: [] }, { cookie: [] }];
  if (endpoint.auth === 'visitor') return [{}, ...session];
  if (endpoint.auth === 'caller') return [{ apiKey: [scopeOf(endpoint)] }, ...session];
  return endpoint.auth === 'desk' ? [{ workerKey: [] }, ...session] : session;
};

/** Rights that `security` does not tell: the role of a person. */
const whoOf = ({ auth, right }: Endpoint): string | undefined =>
  right ? `For ${auth === 'desk' ? 'a worker or ' : ''}${holdersOf(right)}.` : roles[auth];

const roles: Partial<Record<Auth, string>> = {
  visitor: 'Public; a session is used where one is sent.',
  manager: 'For an owner or admin.',
  guest: 'For a guest with a review link.',
};

const describe = (endpoint: Endpoint): string =>
  [endpoint.deprecated && deprecationNotice(endpoint.deprecated), endpoint.description, whoOf(endpoint)]
    .filter(Boolean)
    .join('\n\n');

/** One operation as the document says it. What it shares with others goes into `components`. */
export function operationOf(endpoint: Endpoint, components: Components, examples: AnswerExamples = {}): object {
  const { brief, referInput, refer } = components;
  const { operationId, summary, tag, body, deprecated, right } = endpoint;
  const description = describe(endpoint);
  return {
    operationId,
    summary,
    ...(description ? { description } : {}),
    ...(deprecated ? { deprecated: true } : {}),
    tags: [tag],
    security: securityOf(endpoint, brief),
    ...(right ? { 'x-operator-roles': rolesWith(right) } : {}),
    parameters: parametersOf(endpoint, components),
    ...(body
      ? {
          requestBody: {
            required: ((body as { required?: string[] }).required ?? []).length > 0,
            content: {
              'application/json': { schema: referInput(body), ...(brief ? {} : { example: exampleOf(body) }) },
            },
          },
        }
      : {}),
    responses: responsesOf(endpoint, refer, components.responses, examples),
  };
}
