import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Endpoint } from '../../contract/endpoint.ts';
import type { RateName } from '../../contract/rates.ts';
import {
  authorizePath,
  issuerPath,
  resourceMetadataPath,
  resourcePaths,
  rootAuthorizePath,
} from '../../contract/developer/oauth.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { Db } from '../db/pool.ts';
import type { Person } from '../http/request.ts';
import type { Authorize } from '../http/handle.ts';
import { type RateLimiter, countedFor } from '../http/rate-limit.ts';
import { isForAnyOrigin } from '../http/security-headers.ts';
import type { Signer } from '../lib/signer.ts';
import type { Auth } from '../sign-in/auth.ts';
import type { ReceiverRules } from '../webhooks/receiver-address.ts';
import { authorizeApp } from './authorize-app.ts';
import { beginDevice } from './device.ts';
import { createFetchDocument } from './fetch-document.ts';
import { resourceMetadata, rootMetadata, serverMetadata } from './metadata.ts';
import { openProvider } from './provider.ts';
import { type FormAnswer, oauthError, readForm, type Form } from './form.ts';
import { issueTokens } from './issue-tokens.ts';
import { registerApp } from './register-app.ts';
import { revokeToken } from './stored-token.ts';

type Dependencies = {
  auth: Auth;
  catalog: Pick<Catalog, 'studio'>;
  config: { apiKeyLead: string; dynamicRegistration: boolean };
  db: Db;
  publicUrl: string;
  rates: RateLimiter<RateName>;
  receivers: ReceiverRules;
  signer: Signer;
};

const largestForm = 16 * 1024;
const wellKnown = '/.well-known/oauth-authorization-server';

/** An app sends a browser here, signed in or not. */
const authorizeDoor: Endpoint = {
  operationId: 'authorizeApp',
  method: 'GET',
  path: authorizePath,
  tag: 'OAuth',
  summary: 'Ask a person for access',
  auth: 'visitor',
  answers: {},
  errors: {},
};

/** Every path of OAuth that is served. Other routes of the library cannot be reached. */
export const oauthRoutes = (context: Dependencies, authorize: Authorize) => async (app: FastifyInstance) => {
  const { catalog, config, db, publicUrl, rates, receivers } = context;
  const provider = openProvider(context, { db, fetchDocument: createFetchDocument(receivers) });
  const dependencies = { ...context, provider };

  const publish = (path: string, document: () => object) => {
    app.options(path, allowAnyOrigin);
    app.get(path, async (_, reply) => reply.header('cache-control', 'public, max-age=300').send(document()));
  };
  for (const path of resourcePaths)
    publish(resourceMetadataPath + path, () => resourceMetadata(publicUrl, path, catalog.studio.name));
  publish(wellKnown, () => rootMetadata(publicUrl, config));
  publish(wellKnown + issuerPath, () => serverMetadata(publicUrl, config));

  for (const path of [authorizePath, rootAuthorizePath])
    app.get(path, {
      onRequest: counted(rates, 'authorize_app'),
      handler: async (request, reply) => {
        const search = new URLSearchParams(request.url.split('?')[1] ?? '');
        if (path === rootAuthorizePath) search.set('iss', publicUrl);
        const person = (await authorize(authorizeDoor, request)) as Person | null;
        return reply.redirect(await authorizeApp(dependencies, search, person?.userId ?? null), 302);
      },
    });

  await app.register(async (forms) => {
    takeForms(forms);
    const answer = (path: string, verb: (form: Form, request: FastifyRequest) => Promise<FormAnswer>) => {
      if (isForAnyOrigin(issuerPath + path)) forms.options(issuerPath + path, allowAnyOrigin);
      forms.post(issuerPath + path, {
        bodyLimit: largestForm,
        onRequest: counted(rates, 'app_token'),
        handler: async (request, reply) => send(reply, await answerForm(verb, request)),
      });
    };
    answer('/oauth2/token', (form, request) => issueTokens(dependencies, form, request));
    answer('/device/code', (form) => beginDevice(dependencies, form));
    answer('/oauth2/revoke', (form, request) => revokeToken(dependencies, form, request));
  });

  if (!config.dynamicRegistration) return;
  app.options(`${issuerPath}/oauth2/register`, allowAnyOrigin);
  app.post(`${issuerPath}/oauth2/register`, {
    bodyLimit: largestForm,
    onRequest: counted(rates, 'register_app'),
    handler: async (request, reply) => send(reply, await registerApp(dependencies, request.body)),
  });
};

/** Hosts that run in a browser ask first. None of these paths reads a cookie. */
const allowAnyOrigin = (_: FastifyRequest, reply: FastifyReply) =>
  reply.code(204).headers({ 'access-control-allow-methods': 'GET, POST', 'access-control-allow-headers': '*' }).send();

const counted = (rates: RateLimiter<RateName>, name: RateName) => async (request: FastifyRequest) =>
  void (await rates.spend(name, countedFor(null, request.ip)));

function takeForms(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_, text, done) =>
    done(null, text),
  );
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, _text, done) => done(null));
}

async function answerForm(
  verb: (form: Form, request: FastifyRequest) => Promise<FormAnswer>,
  request: FastifyRequest,
): Promise<FormAnswer> {
  if (typeof request.body !== 'string')
    return oauthError('invalid_request', 'Send the parameters as application/x-www-form-urlencoded.');
  const form = readForm(request.body);
  return form ? verb(form, request) : oauthError('invalid_request', 'A parameter is repeated.');
}

const send = (reply: FastifyReply, { status, body }: FormAnswer) => reply.code(status).send(body);
