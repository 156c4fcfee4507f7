import { read } from '../../app/reads.ts';

export const brandReads = () => ({ brand: read('readBrand') });
