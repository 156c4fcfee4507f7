import type { Studio } from '../../../client/generated/types.gen.ts';
import { plainStudio } from '../../../contract/studio/plain-studio.ts';

const content = globalThis.document?.querySelector<HTMLMetaElement>('meta[name="studio"]')?.content ?? '';

/** The face of the studio, which the service writes into each page. The development server has none. */
export const studio: Studio = content.startsWith('{') ? (JSON.parse(content) as Studio) : plainStudio;

/** Where help is; null where the studio names no place. */
export const helpUrl: string | null = studio.support.url ?? (studio.support.email && `mailto:${studio.support.email}`);
