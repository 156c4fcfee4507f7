const changed = { createdAt: 'created_at', updatedAt: 'updated_at' };

const token = {
  createdAt: 'created_at',
  expiresAt: 'expires_at',
  clientId: 'client_id',
  sessionId: 'session_id',
  userId: 'user_id',
  referenceId: 'reference_id',
  authorizationCodeId: 'authorization_code_id',
  requestedUserInfoClaims: 'requested_user_info_claims',
};

/** The names of the library's tables and columns in our schema. */
export const tables = {
  provider: {
    oauthClient: {
      modelName: 'oauth_clients',
      fields: {
        ...changed,
        clientId: 'client_id',
        clientSecret: 'client_secret',
        clientDiscoveryId: 'client_discovery_id',
        skipConsent: 'skip_consent',
        enableEndSession: 'enable_end_session',
        subjectType: 'subject_type',
        clientCredentialsScopes: 'client_credentials_scopes',
        userId: 'user_id',
        softwareId: 'software_id',
        softwareVersion: 'software_version',
        softwareStatement: 'software_statement',
        redirectUris: 'redirect_uris',
        postLogoutRedirectUris: 'post_logout_redirect_uris',
        backchannelLogoutUri: 'backchannel_logout_uri',
        backchannelLogoutSessionRequired: 'backchannel_logout_session_required',
        tokenEndpointAuthMethod: 'token_endpoint_auth_method',
        applicationType: 'application_type',
        jwksUri: 'jwks_uri',
        grantTypes: 'grant_types',
        responseTypes: 'response_types',
        requirePKCE: 'require_pkce',
        dpopBoundAccessTokens: 'dpop_bound_access_tokens',
        referenceId: 'reference_id',
      },
    },
    oauthResource: {
      modelName: 'oauth_resources',
      fields: {
        ...changed,
        accessTokenTtl: 'access_token_ttl',
        refreshTokenTtl: 'refresh_token_ttl',
        signingAlgorithm: 'signing_algorithm',
        signingKeyId: 'signing_key_id',
        allowedScopes: 'allowed_scopes',
        customClaims: 'custom_claims',
        dpopBoundAccessTokensRequired: 'dpop_bound_access_tokens_required',
        policyVersion: 'policy_version',
      },
    },
    oauthRefreshToken: {
      modelName: 'oauth_refresh_tokens',
      fields: {
        ...token,
        rotatedAt: 'rotated_at',
        rotationReplayResponse: 'rotation_replay_response',
        rotationReplayExpiresAt: 'rotation_replay_expires_at',
        authTime: 'auth_time',
      },
    },
    oauthAccessToken: { modelName: 'oauth_access_tokens', fields: { ...token, refreshId: 'refresh_id' } },
    oauthConsent: {
      modelName: 'oauth_consents',
      fields: {
        ...changed,
        clientId: 'client_id',
        userId: 'user_id',
        referenceId: 'reference_id',
        requestedUserInfoClaims: 'requested_user_info_claims',
      },
    },
  },
  device: {
    deviceCode: {
      modelName: 'oauth_device_codes',
      fields: {
        deviceCode: 'device_code',
        userCode: 'user_code',
        userId: 'user_id',
        expiresAt: 'expires_at',
        lastPolledAt: 'last_polled_at',
        pollingInterval: 'polling_interval',
        clientId: 'client_id',
        oauthClientId: 'oauth_client_id',
      },
    },
  },
};
