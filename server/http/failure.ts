import { badBody, badRequest, Refusal } from './refusal.ts';

export const retrySoon = { headers: { 'retry-after': '2' } };

/** By SQLSTATE class. Every other database error is our fault. */
function fromDatabase(code: string): Refusal | null {
  // Connection lost or refused, shutdown, out of resources, read-only after a failover, or too many lost
  // races.
  if (/^(08|53|57)/.test(code) || ['25006', '3D000', '40001', '40P01', '55000', '55P03'].includes(code))
    return new Refusal('service_unavailable', retrySoon);
  // A migration changed a table after this statement was planned. The retry plans it again.
  if (code === '0A000') return new Refusal('service_unavailable', retrySoon);
  // Last resort for data that passed our checks but not those of the database, so that it is never a 500.
  if (code.startsWith('22') || code === '54001')
    return badBody([{ location: '', message: 'holds a value that cannot be stored' }]);
  return null;
}

/** A SQLSTATE always contains a digit here; `EPIPE` does not. */
const sqlState = /^(?=.*\d)[0-9A-Z]{5}$/;

const lostConnection =
  /timeout exceeded when trying to connect|Query read timeout|Connection terminated|not queryable|ECONN(REFUSED|RESET|ABORTED)|ETIMEDOUT|EPIPE|connect ENOENT|ENOTFOUND|EAI_AGAIN|E(HOST|NET)(UNREACH|DOWN)/;

/** Errors that Fastify raises before our handlers run. */
function fromFastify(code: string, bodyStatus: 400 | 422): Refusal | null {
  switch (code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new Refusal('body_too_large', { headers: { connection: 'close' } });
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new Refusal('unsupported_media_type');
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return badRequest('content-length', 'does not match the body');
    case 'FST_ERR_BAD_URL':
      return badRequest('path', 'is not a valid URL path');
    case 'FST_ERR_CTP_INVALID_JSON_BODY':
      return badBody([{ location: '', message: 'is not valid JSON' }], bodyStatus);
    default:
      return null;
  }
}

/** Converts an error into a refusal. Null means a fault of ours: it is logged and answered 500. */
export function asRefusal(error: unknown, bodyStatus: 400 | 422 = 422): Refusal | null {
  if (error instanceof Refusal) return error;
  if (!(error instanceof Error)) return null;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (sqlState.test(code)) return fromDatabase(code);
  if (lostConnection.test(`${code} ${error.message}`)) return new Refusal('service_unavailable', retrySoon);
  return fromFastify(code, bodyStatus);
}
