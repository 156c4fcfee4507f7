/** The paths whose POST honours an Idempotency-Key. */
export const idempotent: string[] = [
  '/api/v1/jobs/{id}/approve',
  '/api/v1/jobs/{id}/cancel',
  '/api/v1/jobs',
  '/api/v1/jobs/{id}/revision',
  '/api/v1/files/presign',
  '/api/v1/intake/sessions/{id}/confirm',
  '/api/operator/v1/jobs/{id}/accept',
  '/api/operator/v1/jobs/{id}/notes',
  '/api/operator/v1/jobs/claim',
  '/api/operator/v1/jobs/{id}/pass',
  '/api/operator/v1/jobs/{id}/reject',
  '/api/operator/v1/jobs/{id}/release',
  '/api/operator/v1/jobs/{id}/return',
  '/api/operator/v1/jobs/{id}/start',
  '/api/operator/v1/jobs/{id}/submit',
  '/api/operator/v1/jobs/{id}/files/presign',
];
