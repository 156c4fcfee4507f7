import { useEffect, useRef } from 'react';

/** A tool that a page offers to the assistant of its browser. */
export type PageTool = {
  name: string;
  title: string;
  description: string;
  inputSchema: object;
  annotations: { readOnlyHint: boolean; untrustedContentHint: boolean };
  execute(input: unknown): unknown;
};

/** The part of WebMCP that is used, as the draft has it: github.com/webmachinelearning/webmcp. */
type ModelContext = { registerTool(tool: PageTool, options: { signal: AbortSignal }): Promise<void> };

const modelContext = (): ModelContext | undefined => (document as { modelContext?: ModelContext }).modelContext;

/** Makes tools that read the state of the page when they are called. */
type LoadTools<State> = () => Promise<(now: () => State) => PageTool[]>;

/** Offers tools while a part of a page is shown. Without the API of the browser nothing is loaded. */
export function usePageTools<State>(load: LoadTools<State>, state: State): void {
  const latest = useRef(state);
  latest.current = state;
  useEffect(() => {
    const context = modelContext();
    if (!context) return;
    const shown = new AbortController();
    // The page works without, so a browser that refuses or has changed is ignored.
    void offer(context, load, () => latest.current, shown.signal).catch(() => {});
    return () => shown.abort();
    // oxlint-disable-next-line react/exhaustive-deps -- `load` is constant, and `latest` has the state
  }, []);
}

async function offer<State>(context: ModelContext, load: LoadTools<State>, now: () => State, signal: AbortSignal) {
  const tools = (await load())(now);
  if (signal.aborted) return;
  await Promise.all(tools.map(async (tool) => context.registerTool(tool, { signal })));
}
