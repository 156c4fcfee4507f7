import { scopes } from '../../contract/developer/keys.ts';
import { authorizePath, issuerPath, rootAuthorizePath } from '../../contract/developer/oauth.ts';
import { refreshScope } from './terms.ts';

/** RFC 9728: who lets apps in. A client checks that `resource` is the address that it asks. */
export const resourceMetadata = (publicUrl: string, path: string, name: string) => ({
  resource: publicUrl + path,
  authorization_servers: [publicUrl + issuerPath],
  scopes_supported: scopes,
  bearer_methods_supported: ['header'],
  resource_name: name,
  resource_documentation: `${publicUrl}/docs/`,
});

export const deviceCodeGrant = 'urn:ietf:params:oauth:grant-type:device_code';

type Config = { dynamicRegistration: boolean };

/** RFC 8414: exactly what is mounted. */
export function serverMetadata(publicUrl: string, { dynamicRegistration }: Config) {
  const issuer = publicUrl + issuerPath;
  return {
    issuer,
    authorization_endpoint: publicUrl + authorizePath,
    token_endpoint: `${issuer}/oauth2/token`,
    revocation_endpoint: `${issuer}/oauth2/revoke`,
    device_authorization_endpoint: `${issuer}/device/code`,
    ...(dynamicRegistration ? { registration_endpoint: `${issuer}/oauth2/register` } : {}),
    scopes_supported: [...scopes, refreshScope],
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token', deviceCodeGrant],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['none'],
    revocation_endpoint_auth_methods_supported: ['none'],
    client_id_metadata_document_supported: true,
    authorization_response_iss_parameter_supported: true,
    service_documentation: `${publicUrl}/docs/`,
  };
}

/** At the root, where older clients look. The answers of this authorization endpoint name this issuer. */
export const rootMetadata = (publicUrl: string, config: Config) => ({
  ...serverMetadata(publicUrl, config),
  issuer: publicUrl,
  authorization_endpoint: publicUrl + rootAuthorizePath,
});

/** The issuer that an answer names is that of the metadata by which the app came (RFC 9207). */
export function nameIssuer(location: string, publicUrl: string, issuer: string | null): string {
  const named = (url: string) => `iss=${encodeURIComponent(url)}`;
  return issuer === publicUrl ? location.replace(named(publicUrl + issuerPath), named(publicUrl)) : location;
}
