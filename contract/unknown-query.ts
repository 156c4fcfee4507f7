/** Routes of the specification that list no 400 ignore unknown query parameters. All others refuse them. */
const ignoring = [
  'readOpenapi',
  'readCatalog',
  'checkIntent',
  'readMe',
  'listEntitlements',
  'readUsage',
  'preflightJob',
  'createJob',
  'readJob',
  'listJobEvents',
  'cancelJob',
  'requestRevision',
  'openIntake',
  'readIntake',
  'addMessage',
  'confirmBrief',
  'presignUpload',
  'completeUpload',
  'downloadFile',
  'createDownload',
  'listApiKeys',
  'createApiKey',
  'deleteApiKey',
  'startCheckout',
];

/** What a payment provider may add to the address that a checkout returns to. Every route ignores it. */
const ofReturns = ['session', 'plan', 'paid', 'success', 'cancel', 'payment'];

/** Whether a route ignores a query parameter that it does not know. */
export const ignoresParameter = (operationId: string, name: string): boolean =>
  ignoring.includes(operationId) || ofReturns.includes(name);
