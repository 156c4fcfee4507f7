/** Addresses of the OAuth doors. They speak the protocol of OAuth and are no endpoints of the contract. */
export const mcpPath = '/mcp';
export const issuerPath = '/api/auth';
export const authorizePath = `${issuerPath}/oauth2/authorize`;
/** Of the metadata at the root, whose issuer is the origin (RFC 8414, 3.3). */
export const rootAuthorizePath = '/oauth2/authorize';
/** RFC 9728: the path of a resource follows. */
export const resourceMetadataPath = '/.well-known/oauth-protected-resource';
const apiPath = '/api/v1';

/** The addresses by which apps name this service. Each has its metadata, and they are one resource. */
export const resourcePaths = [mcpPath, apiPath, ''];

/** What access tokens are for, whichever of them an app named. */
export const resourceOf = (publicUrl: string): string => publicUrl + mcpPath;

/** Where the metadata of the resource stand that an endpoint belongs to. */
export const resourceMetadataOf = (publicUrl: string, path: string): string =>
  publicUrl + resourceMetadataPath + (path === mcpPath ? mcpPath : apiPath);

/** The command line is no app of the web, so it has no metadata document. */
export const cliClientId = 'atelier-cli';
