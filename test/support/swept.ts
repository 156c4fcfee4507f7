import { bodyStatus, type Endpoint } from '../../contract/endpoint.ts';
import { endpoints } from '../../contract/openapi.ts';
import { ignoresParameter } from '../../contract/unknown-query.ts';

/** Its body is signed raw bytes, so the sweeps do not apply. It has tests of its own. */
export const isRaw = (endpoint: Endpoint): boolean => endpoint.operationId === 'receiveWebhook';

export const writes = endpoints.filter((endpoint) => endpoint.method !== 'GET' && !isRaw(endpoint));

type Sweep = { endpoints: Endpoint[]; promise: (endpoint: Endpoint) => string };

/**
 * What `test/sweeps/bad-input.test.ts` asks of endpoints, with the answer that it expects of each. A
 * promise that is proven there needs no test beside its verb: `test/architecture.test.ts` reads these lists.
 */
export const swept = {
  /** An id that names nothing. `test/sweeps/tenants.test.ts`: that of another account answers the same. */
  ids: {
    endpoints: endpoints.filter(({ params }) => params),
    promise: ({ errors }) => `404 ${errors[404]?.[0]}`,
  },
  /** Fields that are unknown, missing or of another type. */
  bodies: { endpoints: writes, promise: (endpoint) => `${bodyStatus(endpoint)} invalid_request` },
  /** An unknown parameter. `test/sweeps/lists.test.ts`: so is answered the cursor of another list. */
  queries: {
    endpoints: endpoints.filter((endpoint) => !isRaw(endpoint) && !ignoresParameter(endpoint.operationId, 'unknown')),
    promise: () => '400 invalid_request',
  },
} satisfies Record<string, Sweep>;

/** The refusals of an endpoint that the sweeps prove. */
export const sweptOf = (endpoint: Endpoint): string[] =>
  Object.values<Sweep>(swept)
    .filter((sweep) => sweep.endpoints.includes(endpoint))
    .map((sweep) => sweep.promise(endpoint));
