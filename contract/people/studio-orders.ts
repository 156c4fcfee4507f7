import Type from 'typebox';
import { endpoint } from '../endpoint.ts';
import { Closed } from '../shapes.ts';

const ofAccount = { tag: 'People', auth: 'manager', path: '/api/auth/account/studio-orders' } as const;
const StudioOrders = Closed(
  { allowed: Type.Boolean({ description: 'Whether leads and owners of the studio can order for the account.' }) },
  { $id: 'StudioOrders', description: 'Whether the studio can order jobs for the account. At first it cannot.' },
);

export const readStudioOrders = endpoint({
  ...ofAccount,
  operationId: 'readStudioOrders',
  method: 'GET',
  summary: 'Read whether the studio can order for the account',
  whileViewing: true,
  answers: { 200: { description: 'The choice.', schema: Closed({ studio_orders: StudioOrders }) } },
  errors: {},
});

export const chooseStudioOrders = endpoint({
  ...ofAccount,
  operationId: 'chooseStudioOrders',
  method: 'PUT',
  summary: 'Let the studio order for the account, or end it',
  description:
    'For owners. Such an order uses the quota of a plan of the account, like any other. Once it is ended, no further order is taken; jobs that were ordered stay.',
  body: Closed({ allowed: Type.Boolean({ description: 'Whether the studio can order.', examples: [true] }) }),
  answers: { 200: { description: 'The choice.', schema: Closed({ studio_orders: StudioOrders }) } },
  errors: { 403: ['role_required'], 422: ['invalid_request'] },
});
