import * as billing from '../../contract/plans/billing.ts';
import * as catalog from '../../contract/ordering/catalog.ts';
import * as money from '../../contract/desk/money.ts';
import * as events from '../../contract/desk/provider-events.ts';
import { route } from '../http/handle.ts';
import { listPlans } from './list-plans.ts';
import { readPrices } from './read-prices.ts';
import { listPayments } from './list-payments.ts';
import { listProviderEvents } from './list-provider-events.ts';
import { reviewEvent } from './review-event.ts';
import { startCheckout } from './start-checkout.ts';
import { startPortal } from './start-portal.ts';
import { verifyPrices } from './verify-prices.ts';

export const billingRoutes = [
  route(listPlans, catalog.listPlans),
  route(startCheckout, billing.startCheckout),
  route(startPortal, billing.startPortal),
  route(readPrices, billing.readPrices),
  route(verifyPrices, billing.verifyPrices),
  route(listPayments, money.listPayments),
  route(listProviderEvents, events.listProviderEvents),
  route(reviewEvent, events.reviewEvent),
];
