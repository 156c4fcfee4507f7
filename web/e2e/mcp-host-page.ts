import { AppBridge, PostMessageTransport } from '@modelcontextprotocol/ext-apps/app-bridge';
import type { CallToolResult } from '@modelcontextprotocol/client';

type Shown = {
  args: Record<string, unknown>;
  result: CallToolResult;
  theme: 'light' | 'dark';
  /** A host that only shows pages. */
  isMute: boolean;
};

declare global {
  interface Window {
    shown(): Promise<Shown>;
    callTool(name: string, args: Record<string, unknown>): Promise<CallToolResult>;
    hear(kind: 'told' | 'opened', text: string): Promise<void>;
  }
}

/** A host as the official library makes one, around a page that may do nothing but run. */
const { args, result, theme, isMute } = await window.shown();
const frame = document.createElement('iframe');
frame.setAttribute('sandbox', 'allow-scripts');
frame.title = 'MCP App';
const able = isMute ? {} : { serverTools: {}, openLinks: {}, updateModelContext: { text: {} } };
const bridge = new AppBridge(null, { name: 'host', version: '1.0.0' }, able, {
  hostContext: { theme, locale: 'en-GB', timeZone: 'Europe/Berlin', displayMode: 'inline' },
});
bridge.oncalltool = ({ name, arguments: asked = {} }) => window.callTool(name, asked);
bridge.onupdatemodelcontext = async ({ content }) => {
  await window.hear('told', JSON.stringify(content));
  return {};
};
bridge.onopenlink = async ({ url }) => {
  await window.hear('opened', url);
  return {};
};
bridge.onsizechange = ({ height }) => {
  if (height !== undefined) frame.style.height = `${height}px`;
};
bridge.oninitialized = () => {
  void bridge.sendToolInput({ arguments: args }).then(() => bridge.sendToolResult(result));
};
document.body.append(frame);
if (!frame.contentWindow) throw new Error('The frame has no window.');
await bridge.connect(new PostMessageTransport(frame.contentWindow, frame.contentWindow));
frame.src = new URL('/view', location.href.replace('127.0.0.1', 'localhost')).href;
