/** Addresses of the OAuth doors. They speak the protocol of OAuth and are no endpoints of the contract. */
export const mcpPath = '/mcp';
export const issuerPath = '/api/auth';
export const authorizePath = `${issuerPath}/oauth2/authorize`;
export const resourceMetadataPath = `/.well-known/oauth-protected-resource${mcpPath}`;

/** What access tokens are for. They also serve the API. */
export const resourceOf = (publicUrl: string): string => publicUrl + mcpPath;

/** The command line is no app of the web, so it has no metadata document. */
export const cliClientId = 'atelier-cli';
