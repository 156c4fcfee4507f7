import { fragmentToken } from '../../ui/page/fragment-token.ts';

export const { take: takeUploadToken, read: uploadToken } = fragmentToken('atelier-upload-token');
