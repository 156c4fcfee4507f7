import type { Page } from '@playwright/test';

/**
 * What the browser does for WebMCP, which this Chromium lacks: `document.modelContext`, as the draft of
 * 2026-06-24 defines it (github.com/webmachinelearning/webmcp, index.bs). It runs in the page.
 */
function installModelContext(): void {
  type Tool = {
    name: string;
    title?: string;
    description: string;
    inputSchema?: object;
    annotations?: { readOnlyHint?: boolean; untrustedContentHint?: boolean };
    execute(input: object): unknown;
  };
  const tools = new Map<string, Tool>();
  class ModelContext extends EventTarget {
    registerTool(tool: Tool, { signal }: { signal?: AbortSignal } = {}): Promise<void> {
      const invalid = (words: string) => Promise.reject(new DOMException(words, 'InvalidStateError'));
      if (tools.has(tool.name)) return invalid(`${tool.name} is registered already`);
      if (!/^[\w.-]{1,128}$/.test(tool.name) || tool.description === '') return invalid('name or description');
      if (typeof JSON.stringify(tool.inputSchema ?? {}) !== 'string') return Promise.reject(new TypeError('schema'));
      if (signal?.aborted) return Promise.reject(signal.reason as Error);
      tools.set(tool.name, tool);
      return new Promise((resolve, reject) => {
        signal?.addEventListener('abort', () => {
          tools.delete(tool.name);
          reject(signal.reason as Error);
        });
        setTimeout(resolve);
      });
    }
  }
  Object.defineProperty(Document.prototype, 'modelContext', { value: new ModelContext() });
  const listed = ({ name, description, annotations }: Tool) => ({ name, description, annotations });
  Object.assign(window, {
    assistant: {
      list: () => [...tools.values()].map(listed),
      // Input and output cross processes.
      call: async (name: string, input: object) =>
        JSON.parse(
          JSON.stringify(await tools.get(name)!.execute(JSON.parse(JSON.stringify(input)) as object)),
        ) as unknown,
    },
  });
}

type Listed = { name: string; description: string; annotations: { readOnlyHint: boolean } };
// Tests read any field of an answer.
// oxlint-disable-next-line typescript/no-explicit-any
type Assistant = { list(): Listed[]; call(name: string, input: object): Promise<any> };
declare const assistant: Assistant;

/** An assistant in the browser of a person. It sees the tools of the open page only. */
export async function withAssistant(page: Page) {
  await page.addInitScript(installModelContext);
  return {
    tools: () => page.evaluate(() => assistant.list()),
    names: async () => (await page.evaluate(() => assistant.list())).map(({ name }) => name).toSorted(),
    // oxlint-disable-next-line typescript/no-explicit-any
    call: (name: string, input: object = {}): Promise<any> =>
      page.evaluate(([tool, sent]) => assistant.call(tool, sent), [name, input] as const),
  };
}
