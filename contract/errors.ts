/**
 * Every error code, its HTTP status and its words. Plain data: the server renders it, the reference prints it.
 * Specification part 7; statuses and added codes from `decisions.md` "Errors". Callers decide by `code`, never by message.
 * `status` is the usual one; `invalid_request` is 400 for queries, headers and paths and 422 for bodies.
 */
type ErrorLine = { status: number; meaning: string; message: string; action: string };

export const errors = {
  invalid_request: {
    status: 422,
    meaning: 'The shape of a body, query, header or path is not usable. Also: approve in a state that has no approval.',
    message: 'The request is not valid.',
    action: 'Correct the fields named in details and send the request again.',
  },
  unsupported_service: {
    status: 422,
    meaning: 'The service family or the service type is not in the catalog.',
    message: 'The catalog has no such service.',
    action: 'Read GET /api/v1/catalog and use a family id with one of its option ids.',
  },
  unsupported_file: {
    status: 422,
    meaning: 'The content type or the purpose of an upload is not supported.',
    message: 'This kind of file is not supported.',
    action: 'Use one of the values named in the message.',
  },
  unsafe_request: {
    status: 422,
    meaning: 'The text carries a credential, or asks for what the catalog excludes.',
    message: 'This request cannot be accepted safely.',
    action: 'Remove what the message names and send the request again.',
  },
  idempotency_key_conflict: {
    status: 422,
    meaning: 'The Idempotency-Key was used before on this route with another body.',
    message: 'This Idempotency-Key was already used with a different request.',
    action: 'Use a new Idempotency-Key for a new request, or send the first request again unchanged.',
  },
  entitlement_required: {
    status: 403,
    meaning: 'The account has no active plan that serves this kind of caller.',
    message: 'The account has no active plan for this request.',
    action: 'Have an owner or admin start a plan that serves this kind of caller; see GET /api/v1/plans.',
  },
  quota_exceeded: {
    status: 403,
    meaning: 'No quota remains in the current period.',
    message: 'The quota of the current period is used up.',
    action: 'Wait for the next period (see GET /api/v1/usage) or move to a larger plan.',
  },
  concurrency_limit_exceeded: {
    status: 403,
    meaning: 'The account already has the maximum of active jobs for its plans.',
    message: 'The account has the maximum number of active jobs.',
    action: 'Approve or cancel an active job, or move to a larger plan.',
  },
  rate_limit_exceeded: {
    status: 429,
    meaning: 'The limit of the route, key, account or address was exceeded.',
    message: 'Too many requests.',
    action: 'Wait for retry_after_seconds, then send the request again.',
  },
  job_not_found: {
    status: 404,
    meaning: 'The job does not exist or belongs to another account.',
    message: 'There is no such job.',
    action: 'Check the job id; GET /api/v1/jobs lists the jobs of your account.',
  },
  job_not_cancelable: {
    status: 409,
    meaning: 'The status of the job does not allow cancellation.',
    message: 'This job can no longer be canceled.',
    action: 'Read the job and use one of its allowed_actions.',
  },
  revision_unavailable: {
    status: 409,
    meaning: 'The job is not ready for review, or its revision rounds are used up.',
    message: 'A revision is not available for this job.',
    action: 'Read the job: see its status, revisions and allowed_actions.',
  },
  unauthenticated: {
    status: 401,
    meaning: 'The credential is missing or not valid.',
    message: 'A valid credential is required.',
    action: 'Send Authorization: Bearer with an API key or a session token.',
  },
  insufficient_scope: {
    status: 403,
    meaning: 'The API key lacks the scope of this route.',
    message: 'The API key does not have the scope that this route needs.',
    action: 'Use a key with the scope named in the message.',
  },
  role_required: {
    status: 403,
    meaning: 'The route needs another kind of caller: an owner or admin session, an operator, or a worker.',
    message: 'Your role does not allow this.',
    action: 'Sign in as the kind of caller named in the message.',
  },
  csrf_token_invalid: {
    status: 403,
    meaning: 'A cookie request came without a valid CSRF token, or from another origin.',
    message: 'The CSRF check failed.',
    action: 'Read csrf_token from GET /api/v1/me and send it as x-service-csrf-token.',
  },
  plan_already_active: {
    status: 403,
    meaning: 'The account already holds the plan that checkout was asked for.',
    message: 'The account already has this plan.',
    action: 'Use the plan, or choose another tier; see GET /api/v1/entitlements.',
  },
  api_key_not_found: {
    status: 404,
    meaning: 'The API key does not exist or belongs to another account.',
    message: 'There is no such API key.',
    action: 'Check the key id; GET /api/v1/api-keys lists the keys of your account.',
  },
  file_not_found: {
    status: 404,
    meaning: 'The file does not exist, belongs to another account, or is not delivered yet.',
    message: 'There is no such file.',
    action: 'Check the file id; files of a job stand in GET /api/v1/jobs/{id}.',
  },
  not_found: {
    status: 404,
    meaning: 'There is no such route or thing.',
    message: 'There is nothing at this address.',
    action: 'Check the method and path against GET /api/v1/openapi.json.',
  },
  method_not_allowed: {
    status: 405,
    meaning: 'The path exists, but not with this method. The Allow header lists those it has.',
    message: 'This path does not have that method.',
    action: 'Use a method from the Allow header.',
  },
  upload_incomplete: {
    status: 409,
    meaning: 'The bytes of a file are not in the storage, or not as they were declared.',
    message: 'The bytes of this file were not uploaded yet.',
    action: 'PUT them to upload.url with exactly upload.headers, then complete the file again.',
  },
  signed_url_invalid: {
    status: 403,
    meaning: 'A signed storage URL has expired, or the request differs from what was signed.',
    message: 'This URL has expired, or the request is not the one it was signed for.',
    action: 'Send exactly the method, URL and headers that were answered, or ask for a new URL.',
  },
  invalid_transition: {
    status: 409,
    meaning: 'The job is in a status from which this move of the desk does not exist.',
    message: 'The job is not in a status that allows this move.',
    action: 'Read the job and choose a move that its status allows.',
  },
  lease_lost: {
    status: 409,
    meaning: 'The lease has ended, or is not of this caller. Nothing was changed.',
    message: 'The lease on this job is no longer held.',
    action: 'Stop work on this job and claim the next one.',
  },
  file_too_large: {
    status: 413,
    meaning: 'The file is larger than 100 MiB, than was declared, or than the account may still store.',
    message: 'The file is too large.',
    action: 'Upload a smaller file, within the limit that the message names.',
  },
  body_too_large: {
    status: 413,
    meaning: 'The request body is larger than 1 MiB.',
    message: 'The request body is too large.',
    action: 'Send at most 1 MiB; files go through POST /api/v1/files/presign.',
  },
  unsupported_media_type: {
    status: 415,
    meaning: 'The Content-Type is not application/json.',
    message: 'The request body must be JSON.',
    action: 'Send Content-Type: application/json.',
  },
  invalid_signature: {
    status: 400,
    meaning: 'The signature of the payment provider is missing, malformed, stale or wrong.',
    message: 'The signature could not be verified.',
    action: 'Sign the raw body with the signing secret of this endpoint and send it within five minutes.',
  },
  checkout_unavailable: {
    status: 503,
    meaning: 'The prices of the plans are not verified at the payment provider, or it cannot be reached.',
    message: 'Checkout is not available at the moment.',
    action: 'Try again later; the plans stay readable at GET /api/v1/plans.',
  },
  service_unavailable: {
    status: 503,
    meaning: 'The database or another part that the request needs cannot be reached.',
    message: 'The service is not available at the moment.',
    action: 'Send the same request again after the seconds in Retry-After, with the same Idempotency-Key.',
  },
  internal_error: {
    status: 500,
    meaning: 'A fault of the service. Nothing of the request was kept.',
    message: 'Something went wrong on our side.',
    action: 'Send the request again; if it fails again, report the request_id.',
  },
} satisfies Record<string, ErrorLine>;

export type ErrorCode = keyof typeof errors;
