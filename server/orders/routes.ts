import * as orders from '../../contract/ordering/orders.ts';
import { route } from '../http/handle.ts';
import { confirmOrder } from './confirm-order.ts';
import { declineOrder } from './decline-order.ts';
import { listOrders } from './list-orders.ts';
import { readOrder } from './read-order.ts';

export const orderRoutes = [
  route(listOrders, orders.listOrders),
  route(readOrder, orders.readOrder),
  route(confirmOrder, orders.confirmOrder),
  route(declineOrder, orders.declineOrder),
];
