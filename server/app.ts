import type { FastifyInstance } from 'fastify';
import { createAuthorize } from './access/authorize.ts';
import { oauthRoutes } from './connect/oauth-routes.ts';
import { connectRoutes } from './connect/routes.ts';
import { endStreams } from './access/end-streams.ts';
import { memberRoutes } from './members/routes.ts';
import { personRoutes } from './people/routes.ts';
import { signInRoutes } from './sign-in/routes.ts';
import { auditRoutes } from './audit/routes.ts';
import { brandRoutes } from './brand/routes.ts';
import { templateRoutes } from './templates/routes.ts';
import { billingRoutes } from './billing/routes.ts';
import { sandboxPages } from './billing/sandbox-pages.ts';
import { sandboxPortal } from './billing/sandbox-portal.ts';
import { webhookRoute } from './billing/webhook-route.ts';
import { closingRoutes } from './closing/routes.ts';
import { calendarRoute } from './calendar/calendar-route.ts';
import { calendarRoutes } from './calendar/routes.ts';
import { catalogRoutes } from './catalog/routes.ts';
import { deskAccountRoutes } from './desk/accounts/routes.ts';
import { figureRoutes } from './desk/figures/routes.ts';
import { operatorRoutes } from './desk/operators/routes.ts';
import { queueRoutes } from './desk/queue/routes.ts';
import { entitlementRoutes } from './entitlements/routes.ts';
import { feedRoutes } from './feed/routes.ts';
import { archiveRoute } from './files/archive-route.ts';
import { localRoutes } from './files/local-routes.ts';
import { posterRoute } from './files/poster-route.ts';
import { fileRoutes } from './files/routes.ts';
import { signingPosters } from './files/signed-posters.ts';
import { serveRoutes, type Route } from './http/handle.ts';
import { createHttp } from './http/server.ts';
import { intakeRoutes } from './intake/routes.ts';
import { jobRoutes } from './jobs/routes.ts';
import { keyRoutes } from './keys/routes.ts';
import { libraryRoutes } from './library/routes.ts';
import { macroRoutes } from './macros/routes.ts';
import { savedViewRoutes } from './saved-views/routes.ts';
import { publishingRoutes } from './publishing/routes.ts';
import { publishDiscovery } from './mcp/discovery.ts';
import { mcpRoute } from './mcp/mcp-route.ts';
import { createOffer } from './mcp/offer.ts';
import { pageRoutes } from './pages/routes.ts';
import { doctorRoutes } from './doctor/routes.ts';
import { redirectToOneLoopbackName } from './pages/one-loopback-name.ts';
import { mailboxPath, sandboxMail } from './pages/sandbox-mail.ts';
import { servePictures } from './catalog/serve-pictures.ts';
import { servePages } from './pages/serve-pages.ts';
import { probeRoutes } from './probes/routes.ts';
import { referenceRoutes } from './reference/routes.ts';
import { showReference } from './reference/show-reference.ts';
import { publishWellKnown } from './reference/well-known.ts';
import type { Context } from './start/context.ts';
import { oneClick } from './notifications/one-click.ts';
import { orderRoutes } from './orders/routes.ts';
import { notificationRoutes } from './notifications/routes.ts';
import { reviewRoutes } from './review/routes.ts';
import { talkRoutes } from './talk/routes.ts';
import { usageRoutes } from './usage/routes.ts';
import { webhookRoutes } from './webhooks/routes.ts';

const rooms: readonly (readonly Route<Context>[])[] = [
  keyRoutes,
  webhookRoutes,
  signInRoutes,
  memberRoutes,
  personRoutes,
  catalogRoutes,
  entitlementRoutes,
  auditRoutes,
  usageRoutes,
  jobRoutes,
  talkRoutes,
  calendarRoutes,
  fileRoutes,
  brandRoutes,
  templateRoutes,
  reviewRoutes,
  libraryRoutes,
  intakeRoutes,
  orderRoutes,
  billingRoutes,
  closingRoutes,
  queueRoutes,
  deskAccountRoutes,
  operatorRoutes,
  figureRoutes,
  macroRoutes,
  savedViewRoutes,
  publishingRoutes,
  feedRoutes,
  connectRoutes,
  notificationRoutes,
  probeRoutes,
  referenceRoutes,
  pageRoutes,
  doctorRoutes,
];

export async function createApp(context: Context): Promise<FastifyInstance> {
  const { answerWithin, config, log, metrics, publicUrl, signer } = context;
  const app = await createHttp(log, metrics, publicUrl, config.trustProxy, signer, answerWithin);
  const authorize = createAuthorize(context);
  app.decorate('studio', () => context.catalog.studio);
  app.decorate('isCopy', context.isCopy);
  if (!config.production) redirectToOneLoopbackName(app, publicUrl);
  endStreams(app, context);
  const operations = serveRoutes(app, authorize, context, rooms.flat().map(signingPosters));

  await app.register(localRoutes(context));
  await app.register(posterRoute(context)).register(archiveRoute(context)).register(calendarRoute(context));
  await app.register(webhookRoute(context));
  if (context.provider.name === 'sandbox') await app.register(sandboxPages(context)).register(sandboxPortal(context));
  if (mailboxPath(config.smtpUrl, publicUrl)) await app.register(sandboxMail(context));
  showReference(app, context);
  publishWellKnown(app, context);
  await app.register(oauthRoutes(context, authorize));
  await app.register(oneClick(context));
  publishDiscovery(app, context);
  await app.register(mcpRoute(context, authorize, createOffer({ ...context, operations })));
  servePictures(app, context);
  await servePages(app, context);
  return app;
}
