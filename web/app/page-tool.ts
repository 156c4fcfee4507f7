import type { PageTool } from '../ui/page/page-tools.ts';
import { AtelierError } from './api.ts';

type Definition = Omit<PageTool, 'annotations' | 'execute'> & { writes?: true };

/** An error is an answer: the draft does not say what becomes of what a tool throws. */
export const pageTool = (
  { writes, ...definition }: Definition,
  run: (input: Record<string, unknown>) => unknown,
): PageTool => ({
  ...definition,
  annotations: { readOnlyHint: !writes, untrustedContentHint: true },
  async execute(input) {
    try {
      return await run(typeof input === 'object' && input !== null ? (input as Record<string, unknown>) : {});
    } catch (error) {
      if (!(error instanceof AtelierError)) throw error;
      const { code, message, action } = error;
      return { error: { code, message, action } };
    }
  },
});

export const noInput = { type: 'object', properties: {}, additionalProperties: false };

export const refused = (message: string) => ({ error: { code: 'invalid_request', message } });
